#pragma once

#include "warpipe/predict/predict.hpp"

namespace warpipe::test {

/// 376.299 cycles at 1 GHz, limited by a memory pipeline busy for 350 of them.
inline Prediction example_prediction() {
  Prediction prediction;
  prediction.kernel = "saxpy";
  prediction.device = "example";
  prediction.device_title = "An example device";
  prediction.compute_units = 10;
  prediction.schedulers = 4;
  prediction.launch.group_size = {256, Origin::Kernel};
  prediction.launch.groups = {40, Origin::CommandLine};
  prediction.launch.concurrent_groups = {4, Origin::Occupancy};
  prediction.launch.warps_per_group = 8;
  prediction.launch.groups_per_unit = 4;
  prediction.launch.slots = 4;
  prediction.launch.resident_warps = 32;
  prediction.launch.occupancy = 0.5;
  prediction.launch.flops = 20480;
  prediction.launch.bytes = 122880;
  prediction.launch.values = {{"n", 10240}, {"group_size", 256}, {"warps", 8}};
  prediction.launch.parameter_origins = {{"n", Origin::Kernel}};
  prediction.cycles = Ticks{376299};
  prediction.clock = Hertz{1e9};
  prediction.time = Seconds{376.299e-9};
  prediction.total_time = Seconds{4376.299e-9};
  prediction.instructions_issued = 160;
  prediction.pipelines = {{"alu", Scope::Scheduler, 4, Ticks{128000}, 0.085039},
                          {"lsu", Scope::ComputeUnit, 1, Ticks{350000}, 0.93011}};
  prediction.bounds = {{"pipeline alu", Ticks{32000}}, {"pipeline lsu", Ticks{350000}}, {"latency", Ticks{0}}};
  prediction.limiter = 1;
  prediction.warps_needed = {{"pipeline lsu", 21.5}};
  prediction.sources.ops = 3;
  prediction.sources.by_kind = {{SourceKind::Measured, 2}, {SourceKind::Estimated, 1}};
  prediction.sources.not_measured = {"global.load"};
  return prediction;
}

}  // namespace warpipe::test
