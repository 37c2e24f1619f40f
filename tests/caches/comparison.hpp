#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "warpipe/caches/levels.hpp"

namespace warpipe {

/// The differences between two programs that follow docs/caches.md, in the twelve digits given by the product.
struct Comparison {
  Comparison(const Kernel& kernel, const std::vector<AccessLevels>& product,
             const std::vector<AccessLevels>& reference) {
    add("all", "instructions", static_cast<double>(product.size()), static_cast<double>(reference.size()));
    for (std::size_t i = 0; i < std::min(product.size(), reference.size()); ++i) {
      const AccessLevels &one = product[i], &other = reference[i];
      const std::string& id = kernel.instructions[other.instruction].id;
      add(id, "instruction", static_cast<double>(one.instruction), static_cast<double>(other.instruction));
      add(id, "executions", one.executions, other.executions);
      add(id, "spread", one.spread, other.spread);
      add(id, "compulsory bytes", one.compulsory_bytes, other.compulsory_bytes);
      add(id, "footprint bytes", one.footprint_bytes, other.footprint_bytes);
      for (std::size_t k = 0; k < other.levels.size(); ++k) {
        const std::string level = fmt::format(" of level {}", k + 1);
        add(id, "share" + level, one.levels[k].share, other.levels[k].share);
        add(id, "found" + level, one.levels[k].found, other.levels[k].found);
        add(id, "sectors" + level, one.levels[k].sectors, other.levels[k].sectors);
        add(id, "bytes" + level, one.levels[k].bytes, other.levels[k].bytes);
      }
    }
  }

  bool is_equal = true;
  std::string differences;  ///< a line each

 private:
  void add(const std::string& id, const std::string& name, double product, double reference) {
    if (std::abs(product - reference) <= std::max(1e-12, 1e-11 * std::abs(reference))) return;
    is_equal = false;
    differences += fmt::format("{} {}: the product has {}, the reference {}\n", id, name, product, reference);
  }
};

}  // namespace warpipe
