#pragma once

#include <cstdint>
#include <vector>

#include "routine.hpp"
#include "warpipe/isa/dataflow.hpp"

namespace warpipe::ptx {

/// The values moved out of registers.
struct Spills {
  std::int64_t words = 0;             ///< 32-bit registers per lane
  std::size_t loads = 0, stores = 0;  ///< instructions added for them
};

/// Moves values of a routine to thread-private memory: each chosen value is stored where it is written and loaded where
/// it is read. Values with the fewest uses go first, where a use counts ten times for each loop around it. Values
/// behind control or addresses stay, since values in memory are not followed.
/// @param alive  registers with a value at the peak
/// @param words  of 32 bits to free
/// @return       freed words: fewer where not enough can go
Spills spill(Routine& routine, const isa::Program& program, const isa::ControlFlow& flow,
             const std::vector<std::uint32_t>& alive, std::int64_t words);

}  // namespace warpipe::ptx
