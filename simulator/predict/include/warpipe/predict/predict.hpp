#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warpipe/engine/group_sample.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/launch.hpp"
#include "warpipe/predict/memory_traffic.hpp"

/// One prediction: a kernel on a device with a launch, simulated, with the analytic bounds beside it.

namespace warpipe {

struct LoweredLaunch;
struct RunWithin;

/// How a pipeline was used, over all its simulated instances.
struct PipelineUse {
  std::string name;
  Scope scope = Scope::ComputeUnit;
  std::int64_t instances = 1;
  Ticks busy;              ///< summed over instances
  double utilization = 0;  ///< busy / (instances x cycles); 0 where there are no cycles
};

/// The sources of the latencies used by a prediction.
struct LatencySources {
  std::int64_t ops = 0;                                      ///< different ops issued by the kernel
  std::vector<std::pair<SourceKind, std::int64_t>> by_kind;  ///< in the order of SourceKind, without zeros
  std::int64_t without_source = 0;
  std::vector<std::string> not_measured;  ///< ops whose source is another than measured, or missing
  struct Fitted {
    std::string name;
    double value = 0, uncalibrated = 0;  ///< now, and before the fit
    Interval interval;                   ///< where it lies in 90 of 100 cases
  };
  std::vector<Fitted> fitted;  ///< calibrated numbers of these ops, of the memory and of the device
};

/// Where the time of a launch lies in 90 of 100 cases; each end has at most six significant digits, but where it is the
/// time itself.
struct TimeRange {
  Interval cycles;
  Interval time, total_time;  ///< seconds; total: with the launch overhead
};

struct Prediction {
  std::string kernel, device, device_title;
  std::string form;  ///< as of Kernel
  Policy policy = Policy::FirstReady;
  Units units = Units::One;
  std::int64_t compute_units = 1;
  std::optional<std::int64_t> schedulers;  ///< a unit
  Launch launch;
  GroupSample sample;  ///< the simulated groups
  Ticks cycles;
  Hertz clock{1};
  std::string clock_limit;                ///< the pipeline whose use keeps the clock there; empty: none
  Seconds time, total_time;               ///< total: with the launch overhead
  std::optional<TimeRange> range;         ///< where the options ask for it
  std::int64_t instructions_issued = 0;   ///< warp instructions, by the simulated unit or units
  double off = 0;                         ///< how far a time within a tolerance may be off, a fraction; 0: exact
  double simulated = 1;                   ///< the simulated share of the instructions, for a time within a tolerance
  std::vector<PipelineUse> pipelines;     ///< used by the kernel, in file order
  std::vector<Bound> bounds;              ///< pipelines in file order, schedulers, latency
  std::size_t limiter = 0;                ///< index of the highest bound, the first of equals
  std::vector<WarpsNeeded> warps_needed;  ///< for each throughput bound
  LatencySources sources;
  /// Whether it has global loads and all are taken to miss every cache.
  bool every_load_misses = false;
  MemoryTraffic memory;               ///< of a device with levels
  std::vector<std::string> warnings;  ///< doubts about the result, and impossible results
};

/// @return the name of the highest bound
const std::string& limiter_name(const Prediction& prediction);
/// @return the interval of its time; nothing where the options did not ask for it
std::optional<Interval> interval_of_time(const Prediction& prediction);
/// @return simulated cycles / highest bound; 1 where the bound is 0
double ratio_to_bound(const Prediction& prediction);

/// Simulates a kernel on a device: the whole program in one call. For more questions about the same launch, use
/// Simulation (explain/simulation.hpp).
/// @param kernel   as read
/// @param device   as read
/// @param options  applied to copies of both
/// @throws UsageError, InputError, ModelError as with_options, resolve_launch, bind_latencies and lower do
/// @complexity in issued instructions; memory grows neither with trip counts nor with groups
Prediction predict(const Kernel& kernel, const Device& device, const LaunchOptions& options);

/// Simulates a launch.
/// @throws ModelError, GateError as run
Prediction predict(const LoweredLaunch& launch);

/// Makes the prediction from a run of a launch.
/// @param run  of the launch's program: `RunWithin{result}` where it is exact
/// @complexity small, but for a short launch with uneven waves: it is simulated once more with all units
Prediction prediction_of(const LoweredLaunch& launch, const RunWithin& run);

}  // namespace warpipe
