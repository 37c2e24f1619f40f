#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "routine.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::ptx {

/// Finds loads from a place that their block has just stored to, by the same register and offset in shared or
/// thread-private memory: the certain dependences through memory. Barriers, and writes to the register, end them.
/// @return pairs of a load and its store; in the order of the text
/// @complexity instructions x log of the stores of a block
std::vector<std::pair<std::uint32_t, std::uint32_t>> stored_loads(const Routine& routine, const isa::ControlFlow& flow);

}  // namespace warpipe::ptx
