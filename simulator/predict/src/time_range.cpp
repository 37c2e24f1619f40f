#include "warpipe/predict/time_range.hpp"

#include <algorithm>
#include <cmath>

#include "model_error.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/latency_tables/intervals.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/run_within.hpp"

namespace warpipe {
namespace {

void scale_rates(MemoryLevel& level, double factor) {
  for (std::optional<BytesPerSecond>* rate : {&level.read_rate, &level.write_rate, &level.mixed_rate})
    if (*rate) (*rate)->count *= factor;
}

constexpr double kOnce = 1.001;  ///< numbers of a sample of the groups may be rounded

/// Whether caches have anything to keep: whether an access touches sectors already touched by another access.
bool has_reuse(const LevelsFromAddresses& levels, const Device& device) {
  const auto sector_bytes = static_cast<double>(device.memory->levels.front().sector_bytes);
  return std::ranges::any_of(levels.accesses, [&](const AccessLevels& access) {
    return access.levels.front().sectors * sector_bytes * access.executions > kOnce * access.compulsory_bytes;
  });
}

Kernel kernel_at(const LoweredLaunch& launch, Pace pace) {
  if (!launch.levels || !has_reuse(*launch.levels, launch.device)) return launch.kernel;
  return kernel_with_room(launch, pace == Pace::Fast ? 1 / kRoomInCaches : kRoomInCaches);
}

/// The time of a run, in cycles and in seconds.
struct RunTime {
  double cycles = 0, time = 0, total_time = 0;
};

/// An end is widened by the error of the model, and shown with few digits: it needs no more.
constexpr double kToleranceOfEnds = 0.02;
/// A launch of at most so many times its bound is bound: at an end it takes as many times its bound there. The rule,
/// together with a second simulation of only a part of the caches' work, moved nine in ten of 378 ends of measured rows
/// by less than 0.3 %, and one by 8 %.
constexpr double kBound = 1.1;

Ticks cycles_of_end(const Program& program, const Device& device, const LaunchOptions& options, double ratio_to_bound) {
  const Ticks bound = highest_bound(program, device, options.skipping).cycles;
  if (ratio_to_bound <= kBound) return round_to_ticks(Cycles{to_cycles(bound).count * ratio_to_bound});
  return run_within(program, bound, std::max(options.tolerance, kToleranceOfEnds), options.skipping).result.cycles;
}

RunTime run_at(const LoweredLaunch& launch, const Prediction& prediction, Pace pace) {
  Device device = at_pace(launch.device, pace);
  if (pace == Pace::Slow && is_scattered(launch)) scale_rates(device.memory->levels.back(), kReachedByScattered);
  const Program program = lower(kernel_at(launch, pace), device, launch.launch, launch.options);
  const Ticks cycles = cycles_of_end(program, device, launch.options, ratio_to_bound(prediction));
  const double time = to_seconds(cycles, device.clock).count;
  return {to_cycles(cycles).count, time, time + device.launch_overhead.count};
}

/// An end has at most six digits: the last digits of exponentials and logarithms differ between C libraries, and
/// between processors.
constexpr int kDigits = 6;

/// @param fast, slow  the value with all numbers at an end of their intervals
/// @param error       of the model
Interval around(double value, double fast, double slow, double error) {
  if (!(value > 0)) return {value, value};
  const auto reach = [&](double end) { return std::hypot(std::log(end / value), error); };
  const double low = value * std::exp(-reach(std::min(fast, value)));
  const double high = value * std::exp(reach(std::max(slow, value)));
  return {std::min(value, rounded(low, kDigits)), std::max(value, rounded(high, kDigits))};
}

}  // namespace

TimeRange time_range(const LoweredLaunch& launch, const Prediction& prediction) {
  const RunTime fast = run_at(launch, prediction, Pace::Fast), slow = run_at(launch, prediction, Pace::Slow);
  const auto& kinds = launch.kernel.kinds;
  const double error = std::hypot(model_error(launch, prediction), std::log1p(kinds ? kinds->uncertain : 0));
  return {around(to_cycles(prediction.cycles).count, fast.cycles, slow.cycles, error),
          around(prediction.time.count, fast.time, slow.time, error),
          around(prediction.total_time.count, fast.total_time, slow.total_time, error)};
}

}  // namespace warpipe
