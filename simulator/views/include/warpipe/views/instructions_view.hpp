#pragma once

#include <string>

#include "warpipe/explain/explain.hpp"

namespace warpipe {

/// The instructions of a kernel with their executions and times, as text: a row for each executed instruction, in the
/// kernel's order.
///
///     Instructions  op            runs  lambda  Lambda  source     operands  pipeline  scheduler   share
///       index       imad             1       1       6  measured        0.0       0.0        0.0   0.2 %
///       load_x      global.load      1       8     400  measured        5.0       0.0        0.0   3.0 %
///       load_y      global.load      1       8     400  measured        0.0       0.0        0.0   1.8 %
///       fma         ffma             1       1      18  estimated     392.0       0.0        0.0  89.3 %
///       store_y     global.store     1       8     400  estimated      17.0       0.0        0.0   5.7 %
///
/// "Operands" is the mean wait of an execution for its operands, "pipeline" for its pipeline and the queues behind it,
/// "scheduler" for the scheduler; in cycles. "Share" is the part of all warps' time at the instruction: from the issue
/// before, or from the barrier, to its own, and as long as it holds the scheduler.
std::string write_instructions_text(const Explanation& explanation);

}  // namespace warpipe
