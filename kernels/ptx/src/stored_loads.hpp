#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "routine.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::ptx {

/// Loads from where their block has just stored, by the same register and offset in shared or shared memory: what is
/// certain of dependences through memory. Barriers, and writes to the register, end it.
/// @return pairs of a load and its store; in the order of the text
/// @complexity instructions x log of the stores of a block
std::vector<std::pair<std::uint32_t, std::uint32_t>> stored_loads(const Routine& routine, const isa::ControlFlow& flow);

}  // namespace warpipe::ptx
