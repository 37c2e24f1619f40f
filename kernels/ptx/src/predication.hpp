#pragma once

#include <cstdint>
#include <vector>

#include "routine.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::ptx {

/// Short sides of branches, which ptxas runs under a predicate instead of jumping over them.
struct Predication {
  std::vector<std::uint32_t>
      branch_of;  ///< one a block: the block whose branch is gone and whose side this is; else isa::kNoBlock
  std::vector<bool> removed;  ///< one an instruction: branches that are gone
  std::size_t branches = 0;
};

/// Finds sides of at most `longest` instructions that end where the other side does, without memory, barriers or calls.
/// ptxas does not publish its rule; seven is what its output shows for simple arithmetic.
/// @param longest  0: none
Predication find_predication(const Routine& routine, const isa::ControlFlow& flow, std::size_t longest = 7);

}  // namespace warpipe::ptx
