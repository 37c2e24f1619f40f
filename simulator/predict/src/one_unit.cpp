#include "one_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

constexpr double kNoticeable = 0.05;  // of a run time
constexpr double kWorkOfSample = 0.005;
constexpr double kCheap = 300'000;                   // instructions: some hundredths of a second
constexpr double kLeastBusy = 0.1, kMostBusy = 0.9;  // pipelines between them take turns with others

double share_of(std::int64_t groups, const Launch& launch) {
  return static_cast<double>(groups) / static_cast<double>(launch.groups.value);
}

Ticks cycles_of_all_units(const Playable& played, LaunchOptions options) {
  options.units = Units::All;
  return run(lower(played.kernel, played.device, played.launch, options), options.skipping).cycles;
}

bool is_cheap_on_all_units(const Playable& played) {
  const double share = share_of(played.launch.groups_per_unit, played.launch);
  return static_cast<double>(instructions_issued(played.program)) / share <= kCheap;
}

/// @param why  one unit may be a bad stand-in
/// @return     that, and what all units take where they are played; nothing where they take as long
std::optional<std::string> all_units_instead(const std::string& why, const Playable& played,
                                             const LaunchOptions& options, Ticks cycles) {
  const Ticks all = cycles_of_all_units(played, options);
  const double change = to_cycles(all).count / to_cycles(cycles).count - 1;
  if (std::abs(change) <= kNoticeable) return std::nullopt;
  return fmt::format("{}: with `units = all` it takes {} cycles, {:+.0f} %", why, format_cycles(all), 100 * change);
}

std::optional<std::string> uneven_wave(const Playable& played, const LaunchOptions& options, Ticks cycles) {
  const Launch& launch = played.launch;
  const std::int64_t units = played.device.compute_units, groups = launch.groups_per_unit;
  const double excess = share_of(groups * units, launch) - 1;
  if (launch.groups.value < units || excess <= kNoticeable) return std::nullopt;
  const std::string wave = fmt::format("the last wave is uneven, {} of {} units get {} groups and the others {}",
                                       launch.groups.value % units, units, groups, groups - 1);
  if (is_cheap_on_all_units(played)) return all_units_instead(wave, played, options, cycles);
  return fmt::format("{}: the time with `units = all` may differ by up to {:.0f} %", wave, 100 * excess);
}

/// Where a group is alone on its unit, all others seem to come to the device's pipelines at the same time as it does.
/// That matters where these are neither idle nor always busy.
std::optional<std::string> few_groups(const Playable& played, const LaunchOptions& options, Ticks cycles) {
  const Launch& launch = played.launch;
  if (launch.groups.value == 1 || launch.groups.value >= played.device.compute_units) return std::nullopt;
  const auto& pipelines = played.device.pipelines;
  double busiest = 0;
  for (std::size_t i = 0; i < pipelines.size(); ++i)
    if (pipelines[i].scope == Scope::Device)
      busiest = std::max(busiest, to_cycles(busy(played.program, i)).count / to_cycles(cycles).count);
  if (busiest < kLeastBusy || busiest > kMostBusy) return std::nullopt;
  const std::string few = fmt::format("{} groups on {} units share the device as if they always came at once",
                                      launch.groups.value, played.device.compute_units);
  if (is_cheap_on_all_units(played)) return all_units_instead(few, played, options, cycles);
  return few + ": with `units = all` it may take less";
}

std::optional<std::string> unlike_all(const Playable& played) {
  const GroupSample& sample = played.program.sample;
  if (std::abs(sample.excess) <= kWorkOfSample) return std::nullopt;
  return fmt::format(
      "{} groups of one unit cannot stand for {} groups of {} kinds: their work is {:+.1f} % off the average; "
      "`units = all` simulates every group",
      played.launch.groups_per_unit, played.launch.groups.value, sample.kinds, 100 * sample.excess);
}

std::optional<std::string> long_group(const Playable& played, Ticks cycles) {
  const GroupSample& sample = played.program.sample;
  const double longer = (sample.largest - 1) * played.bounds.mean_group.count / to_cycles(cycles).count;
  if (sample.kinds == 1 || longer <= kNoticeable) return std::nullopt;
  return fmt::format(
      "groups differ, and the largest has {:.1f} times the work of the average: the run may end up to {:.0f} % "
      "later; `units = all` shows where and when it runs",
      sample.largest, 100 * longer);
}

}  // namespace

std::vector<std::string> doubts_of_one_unit(const Playable& played, const LaunchOptions& options, Ticks cycles) {
  std::vector<std::string> doubts;
  if (cycles.count == 0) return doubts;
  for (auto& doubt : {uneven_wave(played, options, cycles), few_groups(played, options, cycles), unlike_all(played),
                      long_group(played, cycles)})
    if (doubt) doubts.push_back(*doubt);
  return doubts;
}

}  // namespace warpipe
