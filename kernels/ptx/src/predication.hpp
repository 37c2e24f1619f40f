#pragma once

#include <cstdint>
#include <vector>

#include "routine.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::ptx {

/// The short sides of branches to run under a predicate, where ptxas does not jump over them.
struct Predication {
  std::vector<std::uint32_t>
      branch_of;              ///< by block: the block of the removed branch, for a side of it; else isa::kNoBlock
  std::vector<bool> removed;  ///< by instruction: removed branches
  std::size_t branches = 0;
};

/// Finds sides of at most `longest` instructions that end where the other side does, without memory, barriers or calls.
/// ptxas does not publish its rule; its output for simple arithmetic shows seven.
/// @param longest  0: none
Predication find_predication(const Routine& routine, const isa::ControlFlow& flow, std::size_t longest = 7);

}  // namespace warpipe::ptx
