#pragma once

#include <functional>
#include <vector>

#include "warpipe/engine/program.hpp"
#include "warpipe/sweep/what_if.hpp"
#include "what_if_model.hpp"

namespace warpipe {

/// A latency that can be given another value; the row has its names and values, no results yet.
struct Knob {
  Elasticity row;
  std::function<void(WhatIfModel&, Cycles)> set;
};

/// What of a launch is asked for its elasticity.
struct RunningModel {
  const WhatIfModel& model;
  const Program& program;
  std::int64_t resident_warps;
};

/// The latencies of the ops that run, those in the pipelines of their `then` included, in the order of the kernel.
std::vector<Knob> op_knobs(const RunningModel& running, double step);
/// The latencies of each instruction that runs.
std::vector<Knob> instruction_knobs(const RunningModel& running, double step);

/// Takes the elasticities from the cycles that are there.
void finish(Elasticity& row, Ticks base);

/// @return the instructions that some warp runs, ascending
std::vector<std::size_t> instructions_that_run(const Program& program);

}  // namespace warpipe
