#include "warpipe/report/launch_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "launch_graph.hpp"
#include "warpipe/latency_tables/occupancy.hpp"
#include "warpipe/latency_tables/rates.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/launch_work.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/views/finding_view.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kMostOccupancies = 40;
constexpr std::int64_t kLargestGroup = 1024;  ///< threads, however many more a group may have
constexpr std::int64_t kMostWarps = 128;      ///< however many more a unit may hold

Variation variation(const char* name, Variation::Kind kind, const std::set<std::int64_t>& values) {
  Variation result;
  result.name = name;
  result.kind = kind;
  result.values.assign(values.begin(), values.end());
  return result;
}

/// The possible numbers of groups on a unit; of many about as many as a picture can show.
std::set<std::int64_t> occupancies(const Launch& launch, const Device& device) {
  const auto allowed = occupancy({launch.group_size.value, launch.registers_per_thread, launch.shared_memory_per_group},
                                 device.limits, device.warp_size);
  const std::int64_t held = std::max(allowed.groups.value_or(launch.slots), launch.slots);
  const std::int64_t most = std::min(held, std::max<std::int64_t>(launch.groups_per_unit, 1));
  const std::int64_t stride = (most + kMostOccupancies - 1) / kMostOccupancies;
  std::set<std::int64_t> groups{launch.slots, most};
  for (std::int64_t count = 1; count <= most; count += stride) groups.insert(count);
  return groups;
}

/// The launch itself among the points over its occupancy: as if its resident groups had been asked for.
SweepPoint own_point(const Prediction& base) {
  SweepPoint own;
  own.values.push_back({static_cast<double>(base.launch.slots)});
  own.prediction = base;
  own.prediction->launch.concurrent_groups = {base.launch.slots, Origin::CommandLine};
  return own;
}

/// 1, 2, 4, ... times `least`, at most `most`.
std::set<std::int64_t> doublings(std::int64_t least, std::int64_t most) {
  std::set<std::int64_t> values;
  for (std::int64_t value = least; value <= most; value *= 2) values.insert(value);
  return values;
}

std::vector<Variation> group_size_variations(const Launch& launch, const Device& device) {
  auto sizes =
      doublings(device.warp_size, std::min(device.limits.threads_per_group.value_or(kLargestGroup), kLargestGroup));
  sizes.insert(launch.group_size.value);
  const std::int64_t most_warps = std::min(device.limits.warps_per_unit.value_or(kMostWarps), kMostWarps);
  auto warps = doublings(1, most_warps);
  warps.insert(most_warps);
  warps.insert(launch.resident_warps);
  return {variation("group_size", Variation::Kind::GroupSize, sizes),
          variation("occupancy", Variation::Kind::Occupancy, warps)};
}

/// The peaks within the kernel's reach: of its number formats.
DeviceRates rates_for(const Kernel& kernel, const Device& device) {
  DeviceRates rates = rates_of(device, 0);
  std::set<NumberFormat> used;
  for (const auto& instruction : kernel.instructions) {
    if (const auto work = lane_work(instruction.op, 0, device.warp_size)) used.insert(work->format);
  }
  const auto other = [&](const FormatPeak& peak) { return !used.contains(peak.format); };
  if (!std::ranges::all_of(rates.peaks, other)) std::erase_if(rates.peaks, other);
  return rates;
}

}  // namespace

LaunchReport launch_report(Simulation& simulation, const Kernel& original_kernel, const Device& original_device,
                           std::size_t threads, const Progress& progress, bool with_group_sizes,
                           const std::vector<SourceText>& sources) {
  const LoweredLaunch& lowered = simulation.launch();
  const Launch& launch = lowered.launch;
  LaunchReport report;
  report.explanation = simulation.explanation();
  report.base = simulation.prediction();
  const auto finding = find_cause(lowered, report.base);
  report.sentence =
      sentence(finding, report.base.time, time_without(finding, report.base.time, original_kernel, original_device));
  report.rates = rates_for(lowered.kernel, lowered.device);
  if (const std::string why = why_groups_stay(lowered.kernel, lowered.options); !why.empty())
    report.why_one_group_size = why + ", so that other sizes would do other work";
  add_graph(report, lowered);
  report.source = source_table(lowered, {report.base, report.explanation}, sources);

  auto others = occupancies(launch, lowered.device);
  others.erase(launch.slots);
  const std::vector<Variation> over_occupancy{
      variation("concurrent_groups", Variation::Kind::ConcurrentGroups, others)};
  std::vector<Variation> over_sizes;
  if (with_group_sizes && report.why_one_group_size.empty()) over_sizes = group_size_variations(launch, lowered.device);
  const std::size_t first = number_of_points(over_occupancy);
  const std::size_t all = first + (over_sizes.empty() ? 0 : number_of_points(over_sizes));
  const auto counted_from = [&](std::size_t before) -> Progress {
    if (!progress) return {};
    return [&progress, all, before](std::size_t done, std::size_t) { progress(before + done, all); };
  };
  report.occupancies =
      run_sweep(original_kernel, original_device, lowered.options, over_occupancy, threads, counted_from(0));
  const auto is_below = [&](const SweepPoint& point) {
    return point.values[0].number < static_cast<double>(launch.slots);
  };
  report.occupancies.insert(std::ranges::find_if_not(report.occupancies, is_below), own_point(report.base));
  LaunchOptions of_sizes = lowered.options;
  of_sizes.range = false;  // a heat map has no place for it
  if (!over_sizes.empty())
    report.group_sizes =
        run_sweep(original_kernel, original_device, of_sizes, over_sizes, threads, counted_from(first));
  return report;
}

}  // namespace warpipe
