#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/slot_values.hpp"

namespace warpipe::isa {

/// Some iterations of a loop of the program, as one loop of the kernel.
struct LoopPart {
  struct Iterations {
    std::uint32_t slot = 0;
    std::int64_t first = 0;  ///< of the program's loop, that is the part's first one
    std::int64_t count = 0;
  };
  std::string counter;            ///< the name of the kernel's loop; empty where it goes round once
  std::vector<Iterations> slots;  ///< ascending
  bool in_order = true;           ///< the part has just these iterations; else others that do as much stand for them
};

/// A memory instruction of the kernel.
struct AccessCopy {
  std::size_t instruction = 0;                         ///< of the kernel
  std::uint32_t index = 0;                             ///< of the program
  Slots slots;                                         ///< of the warps that execute it
  std::vector<std::shared_ptr<const LoopPart>> loops;  ///< around it, the outermost first
  /// What each of its executions took; nothing where that differs.
  std::optional<std::int64_t> sectors = {}, lines = {}, turns = {};
};

}  // namespace warpipe::isa
