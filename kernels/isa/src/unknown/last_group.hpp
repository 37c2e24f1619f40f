#pragma once

#include <cstdint>
#include <optional>

#include "lanes/execution.hpp"

namespace warpipe::isa {

/// Whether lanes jump at a guard for the last of all groups, in the groups before it: an atomic counts the groups, and
/// one of them finds the number of all (`if (atomicAdd(count, 1) == gridDim.x - 1)`), perhaps told to its threads
/// through shared memory.
/// @return nothing where a guard is for something else
std::optional<bool> jumps_before_last_group(const ExecutionInput& input, std::uint32_t jump);

/// The number at which a counter of work ends a loop: groups take the counter's numbers in turn, as tiles, each perhaps
/// told to its threads through shared memory (`while ((tile = atomicAdd(next, 1)) < tiles)`).
/// @return nothing where a guard is for something else
std::optional<std::uint64_t> handed_out(const ExecutionInput& input, std::uint32_t jump);

}  // namespace warpipe::isa
