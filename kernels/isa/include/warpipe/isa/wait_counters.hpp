#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/isa/issue_plan.hpp"

namespace warpipe::isa {

/// What the waits of each instruction wait for: the instructions that raised a counter and may have as many younger
/// ones behind them as the wait lets pend, on some way through the program. Each counter is a queue whose instructions
/// end in order; loops are gone round until the queues repeat.
/// @return by instruction, ascending, each once; empty where it does not wait
/// @complexity instructions x (those under way x the most that a wait lets pend), times the depth of the loop nest
std::vector<std::vector<Awaited>> waited_for(const Program& program, const ControlFlow& flow);

}  // namespace warpipe::isa
