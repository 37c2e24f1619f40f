#pragma once

#include "warpipe/engine/program.hpp"

namespace warpipe {

/// The same program with a mean in place of levels that serve an instruction in turn: each of its executions has the
/// mean Lambda, and takes of each pipeline what they take on average. The models of the literature know one latency of
/// an instruction.
/// @throws ModelError where a mean does not fit 64 bits
Program with_mean_services(Program program);

}  // namespace warpipe
