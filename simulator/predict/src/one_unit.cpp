#include "warpipe/predict/one_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "warpipe/engine/simulate.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

constexpr double kNoticeable = 0.05;  // of a run time
constexpr double kWorkOfSample = 0.005;
constexpr double kCheap = 300'000;                   // instructions: some hundredths of a second
constexpr double kLeastBusy = 0.1, kMostBusy = 0.9;  // pipelines between them take turns

double share_of(std::int64_t groups, const Launch& launch) {
  return static_cast<double>(groups) / static_cast<double>(launch.groups.value);
}

Ticks cycles_of_all_units(const LoweredLaunch& lowered) {
  LaunchOptions options = lowered.options;
  options.units = Units::All;
  return simulate(lower(lowered.kernel, lowered.device, lowered.launch, options), options.skipping).cycles;
}

bool is_cheap_on_all_units(const LoweredLaunch& lowered) {
  const double share = share_of(lowered.launch.groups_per_unit, lowered.launch);
  return static_cast<double>(instructions_issued(lowered.program)) / share <= kCheap;
}

/// Simulates all units.
/// @param why  one unit may be a bad stand-in
/// @return     the reason with the time of all units; nothing where they take as long
std::optional<std::string> all_units_instead(const std::string& why, const LoweredLaunch& lowered, Ticks cycles) {
  const Ticks all = cycles_of_all_units(lowered);
  const double change = to_cycles(all).count / to_cycles(cycles).count - 1;
  if (std::abs(change) <= kNoticeable) return std::nullopt;
  return fmt::format("{}: with `units = all` it takes {} cycles, {:+.0f} %", why, format_cycles(all), 100 * change);
}

std::optional<std::string> uneven_wave(const LoweredLaunch& lowered, Ticks cycles) {
  const Launch& launch = lowered.launch;
  const std::int64_t units = lowered.device.compute_units, groups = launch.groups_per_unit;
  const double excess = share_of(groups * units, launch) - 1;
  if (launch.groups.value < units || excess <= kNoticeable) return std::nullopt;
  const std::string wave = fmt::format("the last wave is uneven, {} of {} units get {} groups and the others {}",
                                       launch.groups.value % units, units, groups, groups - 1);
  if (is_cheap_on_all_units(lowered)) return all_units_instead(wave, lowered, cycles);
  return fmt::format("{}: the time with `units = all` may differ by up to {:.0f} %", wave, 100 * excess);
}

/// Where a group is alone on its unit, the simulated unit treats the device's pipelines as if all other groups came to
/// them at the same time. The error matters where these pipelines are neither idle nor always busy.
std::optional<std::string> few_groups(const LoweredLaunch& lowered, Ticks cycles) {
  const Launch& launch = lowered.launch;
  if (launch.groups.value == 1 || launch.groups.value >= lowered.device.compute_units) return std::nullopt;
  const auto& pipelines = lowered.device.pipelines;
  double busiest = 0;
  for (std::size_t i = 0; i < pipelines.size(); ++i)
    if (pipelines[i].scope == Scope::Device)
      busiest = std::max(busiest, to_cycles(busy(lowered.program, i)).count / to_cycles(cycles).count);
  if (busiest < kLeastBusy || busiest > kMostBusy) return std::nullopt;
  const std::string few = fmt::format("{} groups on {} units share the device as if they always came at once",
                                      launch.groups.value, lowered.device.compute_units);
  if (is_cheap_on_all_units(lowered)) return all_units_instead(few, lowered, cycles);
  return few + ": with `units = all` it may take less";
}

std::optional<std::string> unlike_all(const LoweredLaunch& lowered) {
  const GroupSample& sample = lowered.program.sample;
  if (std::abs(sample.excess) <= kWorkOfSample) return std::nullopt;
  return fmt::format(
      "{} groups of one unit cannot stand for {} groups of {} kinds: their work is {:+.1f} % off the average; "
      "`units = all` simulates every group",
      lowered.launch.groups_per_unit, lowered.launch.groups.value, sample.kinds, 100 * sample.excess);
}

/// The excess of the simulated groups' work over average groups, if the largest group is among them (rule 8).
constexpr double kOfTheLargest = 0.5;

std::optional<std::string> long_group(const LoweredLaunch& lowered, Ticks cycles) {
  const GroupSample& sample = lowered.program.sample;
  if (sample.excess > kOfTheLargest) return std::nullopt;
  const double longer = (sample.largest - 1) * lowered.bounds.mean_group.count / to_cycles(cycles).count;
  if (sample.kinds == 1 || longer <= kNoticeable) return std::nullopt;
  return fmt::format(
      "groups differ, and the largest has {:.1f} times the work of the average: the run may end up to {:.0f} % "
      "later; `units = all` shows where and when it runs",
      sample.largest, 100 * longer);
}

}  // namespace

std::vector<std::string> doubts_of_one_unit(const LoweredLaunch& lowered, Ticks cycles) {
  std::vector<std::string> doubts;
  if (cycles.count == 0) return doubts;
  for (auto& doubt :
       {uneven_wave(lowered, cycles), few_groups(lowered, cycles), unlike_all(lowered), long_group(lowered, cycles)})
    if (doubt) doubts.push_back(*doubt);
  return doubts;
}

}  // namespace warpipe
