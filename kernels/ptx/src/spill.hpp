#pragma once

#include <cstdint>
#include <vector>

#include "routine.hpp"
#include "warpipe/isa/dataflow.hpp"

namespace warpipe::ptx {

/// What was moved out of registers.
struct Spills {
  std::int64_t words = 0;             ///< 32-bit registers per lane
  std::size_t loads = 0, stores = 0;  ///< instructions that were added for them
};

/// Moves values of a routine to thread-private memory: each that is chosen is stored where it is written and loaded
/// where it is read. The ones that are used least go first, by ten times per loop around;
/// values that control or addresses are made of stay, as those in memory are not followed.
/// @param alive  registers where most hold a value
/// @param words  of 32 bits that should go
/// @return       what went: less where not enough can
Spills spill(Routine& routine, const isa::Program& program, const isa::ControlFlow& flow,
             const std::vector<std::uint32_t>& alive, std::int64_t words);

}  // namespace warpipe::ptx
