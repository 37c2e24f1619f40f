#include "one_unit.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "warpipe/study/lower.hpp"

namespace warpipe {
namespace {

constexpr double kNoticeable = 0.05;  // of a run time
constexpr double kWorkOfSample = 0.005;
constexpr double kCheap = 300'000;  // instructions: some hundredths of a second

double share_of(std::int64_t groups, const Launch& launch) {
  return static_cast<double>(groups) / static_cast<double>(launch.groups.value);
}

Ticks cycles_of_all_units(const Playable& played, LaunchOptions options) {
  options.units = Units::All;
  return run(lower(played.kernel, played.device, played.launch, options), options.leap).cycles;
}

std::optional<std::string> uneven_wave(const Playable& played, const LaunchOptions& options, Ticks cycles) {
  const Launch& launch = played.launch;
  const std::int64_t units = played.device.compute_units, groups = launch.groups_per_unit;
  const double excess = share_of(groups * units, launch) - 1;
  if (launch.groups.value < units || excess <= kNoticeable) return std::nullopt;
  const std::string wave = fmt::format("the last wave is uneven, {} of {} units get {} groups and the others {}: ",
                                       launch.groups.value % units, units, groups, groups - 1);
  if (static_cast<double>(instructions_issued(played.program)) / share_of(groups, launch) > kCheap)
    return wave + fmt::format("--units all may differ by up to {:.0f} %", 100 * excess);
  const Ticks all = cycles_of_all_units(played, options);
  const double change = to_cycles(all).count / to_cycles(cycles).count - 1;
  if (std::abs(change) <= kNoticeable) return std::nullopt;
  return wave + fmt::format("--units all takes {} cycles, {:+.0f} %", format_cycles(all), 100 * change);
}

std::optional<std::string> unlike_all(const Playable& played) {
  const GroupSample& sample = played.program.sample;
  if (std::abs(sample.excess) <= kWorkOfSample) return std::nullopt;
  return fmt::format(
      "{} groups of one unit cannot stand for {} groups of {} kinds: their work is {:+.1f} % off the average; "
      "--units all plays every group",
      played.launch.groups_per_unit, played.launch.groups.value, sample.kinds, 100 * sample.excess);
}

std::optional<std::string> long_group(const Playable& played, Ticks cycles) {
  const GroupSample& sample = played.program.sample;
  const double longer = (sample.largest - 1) * played.bounds.mean_group.count / to_cycles(cycles).count;
  if (sample.kinds == 1 || longer <= kNoticeable) return std::nullopt;
  return fmt::format(
      "groups differ, and the largest has {:.1f} times the work of the average: the run may end up to {:.0f} % "
      "later; --units all shows where and when it runs",
      sample.largest, 100 * longer);
}

}  // namespace

std::vector<std::string> doubts_of_one_unit(const Playable& played, const LaunchOptions& options, Ticks cycles) {
  std::vector<std::string> doubts;
  if (cycles.count == 0) return doubts;
  for (auto& doubt : {uneven_wave(played, options, cycles), unlike_all(played), long_group(played, cycles)})
    if (doubt) doubts.push_back(*doubt);
  return doubts;
}

}  // namespace warpipe
