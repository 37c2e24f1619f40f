#pragma once

#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// A kernel and a device whose cycles have a closed form.

namespace warpipe {

/// A group of 64 threads; each warp runs `trips` (3) dependent executions of a single `step`.
inline Kernel chain_kernel() {
  const std::vector<std::string> visible{"trips", "group_size", "groups", "warps"};
  Kernel kernel;
  kernel.name = "chain";
  kernel.parameters = {{"trips", 3}};
  kernel.launch.group_size = Expression(64);
  kernel.launch.groups = Expression(1);
  kernel.work.flops = Expression::parse("2 * group_size * groups * trips", visible);
  kernel.work.bytes = Expression::parse("4 * group_size * groups", visible);
  Instruction step;
  step.id = "next";
  step.op = "step.one";
  step.after.emplace_back();  // itself, a round before
  kernel.instructions.push_back(step);
  Loop rounds;
  rounds.name = "rounds";
  rounds.trip_count = Expression::parse("trips", visible);
  rounds.body = {Item{std::size_t{0}}};
  kernel.body.push_back(Item{rounds});
  return kernel;
}

/// A unit with a pipeline, lambda 2 and Lambda 10, at 1 GHz. Rule 10.1 of the model gives the chain kernel
///
///     cycles = (trips - 1) max(10, 2 W) + (W - 1) 2 + 10    for W warps, all resident from the start
///
/// so 2 x 10 + 2 + 10 = 32 for its own launch of W = 2 warps.
inline Device chain_device() {
  Device device;
  device.name = "line";
  device.limits.groups_per_unit = 8;
  device.launch_overhead = Seconds{4e-6};
  device.pipelines.emplace_back().name = "alu";
  Op step;
  step.name = "step.one";
  step.issue = Latency{{{1, 2.0}}};
  step.completion = Latency{{{1, 10.0}}};
  step.per_conflict = Increment{Cycles{1}, Cycles{5}};
  device.ops.push_back(step);
  return device;
}

}  // namespace warpipe
