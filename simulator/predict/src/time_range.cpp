#include "warpipe/predict/time_range.hpp"

#include <algorithm>
#include <cmath>

#include "warpipe/idg/op.hpp"
#include "warpipe/latency_tables/intervals.hpp"

namespace warpipe {
namespace {

// Half of the interval of a time that the model predicts with the right numbers, of its logarithm: what the first,
// third, ... rows of the reference sets leave beside the intervals of the numbers.
constexpr double kOfArithmetic = 0.03;  ///< of a kernel without memory
constexpr double kOfMemory = 0.06;      ///< of latency and of the memory behind the units
constexpr double kOfFirstLevel = 0.18;  ///< where the pipeline of loads and stores limits: caches, conflicts, order

double model_error(const LoweredLaunch& launch, const Prediction& prediction) {
  const auto is_access = [](const Instruction& instruction) {
    const OpClass of = class_of(instruction.op);
    return of == OpClass::GlobalMemory || of == OpClass::SharedMemory;
  };
  const std::vector<Instruction>& instructions = launch.kernel.instructions;
  if (std::ranges::none_of(instructions, is_access)) return kOfArithmetic;
  const bool is_first_level = std::ranges::any_of(instructions, [&](const Instruction& instruction) {
    if (!is_access(instruction)) return false;
    const std::size_t pipeline = launch.device.find_op(instruction.op)->pipeline;
    return limiter_name(prediction) == "pipeline " + launch.device.pipelines[pipeline].name;
  });
  return is_first_level ? kOfFirstLevel : kOfMemory;
}

/// What a run takes, in cycles and in seconds.
struct RunTime {
  double cycles = 0, time = 0, total_time = 0;
};

RunTime run_at(const LoweredLaunch& launch, Pace pace) {
  const Device device = at_pace(launch.device, pace);
  const Program program = lower(launch.kernel, device, launch.launch, launch.options);
  const Ticks cycles = simulate(program, launch.options.skipping).cycles;
  const double time = to_seconds(cycles, device.clock).count;
  return {to_cycles(cycles).count, time, time + device.launch_overhead.count};
}

/// @param fast, slow  what it is where all numbers are at an end of their intervals
/// @param error       of the model
Interval around(double value, double fast, double slow, double error) {
  if (!(value > 0)) return {value, value};
  const auto reach = [&](double end) { return std::hypot(std::log(end / value), error); };
  return {value * std::exp(-reach(std::min(fast, value))), value * std::exp(reach(std::max(slow, value)))};
}

}  // namespace

TimeRange time_range(const LoweredLaunch& launch, const Prediction& prediction) {
  const RunTime fast = run_at(launch, Pace::Fast), slow = run_at(launch, Pace::Slow);
  const double error = model_error(launch, prediction);
  return {around(to_cycles(prediction.cycles).count, fast.cycles, slow.cycles, error),
          around(prediction.time.count, fast.time, slow.time, error),
          around(prediction.total_time.count, fast.total_time, slow.total_time, error)};
}

}  // namespace warpipe
