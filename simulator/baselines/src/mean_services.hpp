#pragma once

#include "warpipe/engine/program.hpp"

namespace warpipe {

/// The same program with a mean in place of levels serving an instruction in turn: each of its executions has the mean
/// Lambda, and the mean time on each pipeline. The models of the literature know a single latency of an instruction.
/// @throws ModelError where a mean does not fit 64 bits
Program with_mean_services(Program program);

}  // namespace warpipe
