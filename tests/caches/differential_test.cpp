#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "caches/random_accesses.hpp"
#include "caches/reference_caches.hpp"
#include "support/drawn_cases.hpp"
#include "support/property.hpp"

namespace warpipe {
namespace {

constexpr CacheEffort kWholeLaunch{1e15};

/// What two programs found, one number a line, with a mark where they differ in the first twelve digits.
class Comparison {
 public:
  Comparison(const Kernel& kernel, const std::vector<AccessLevels>& product,
             const std::vector<AccessLevels>& reference) {
    number("accesses", "", static_cast<double>(product.size()), static_cast<double>(reference.size()));
    for (std::size_t i = 0; i < std::min(product.size(), reference.size()); ++i) {
      const AccessLevels &one = product[i], &other = reference[i];
      const std::string& id = kernel.instructions[other.instruction].id;
      number(id, "index", static_cast<double>(one.instruction), static_cast<double>(other.instruction));
      number(id, "executions", one.executions, other.executions);
      number(id, "spread", one.spread, other.spread);
      number(id, "compulsory", one.compulsory_bytes, other.compulsory_bytes);
      number(id, "footprint", one.footprint_bytes, other.footprint_bytes);
      for (std::size_t k = 0; k < other.levels.size(); ++k) {
        number(id, fmt::format("share {}", k), one.levels[k].share, other.levels[k].share);
        number(id, fmt::format("found {}", k), one.levels[k].found, other.levels[k].found);
        number(id, fmt::format("sectors {}", k), one.levels[k].sectors, other.levels[k].sectors);
        number(id, fmt::format("bytes {}", k), one.levels[k].bytes, other.levels[k].bytes);
      }
    }
  }

  bool is_equal = true;
  std::string differences;

 private:
  void number(const std::string& id, const std::string& name, double one, double other) {
    if (std::abs(one - other) <= 1e-11 * std::abs(other) || std::abs(one - other) <= 1e-12) return;
    is_equal = false;
    differences += fmt::format("{} {}: the product has {}, the reference {}\n", id, name, one, other);
  }
};

void expect_same(const RandomAccesses& drawn) {
  const Kernel kernel = drawn.kernel();
  const Comparison comparison(kernel,
                              levels_from_addresses(kernel, drawn.device, drawn.launch(), kWholeLaunch).accesses,
                              reference_caches(kernel, drawn.device, drawn.launch()));
  RC_LOG() << comparison.differences;
  RC_ASSERT(comparison.is_equal);
}

TEST(CachesDifferential, ProductEqualsReferenceOnRandomKernelsAndDevices) {
  check_property(drawn_share(20000), [] { expect_same(*random_accesses()); });
}

}  // namespace
}  // namespace warpipe
