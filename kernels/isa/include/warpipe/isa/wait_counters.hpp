#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/isa/issue_plan.hpp"

namespace warpipe::isa {

/// The instructions awaited by the waits of each instruction: instructions with the wait's counter and, on some way
/// through the program, at least as many younger instructions behind them as the wait lets pend. Each counter is a
/// queue whose instructions end in order; loops are gone round until the queues repeat.
/// @return by instruction, ascending, each once; empty for an instruction without waits
/// @complexity instructions x (pending instructions x the largest pending number of a wait), times the depth of the
///             loop nest
std::vector<std::vector<Awaited>> waited_for(const Program& program, const ControlFlow& flow);

}  // namespace warpipe::isa
