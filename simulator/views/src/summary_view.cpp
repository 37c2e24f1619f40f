#include "warpipe/views/summary_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "warpipe/idg/printable.hpp"
#include "warpipe/predict/launch_work.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

std::string simulated_units(const Prediction& prediction) {
  if (prediction.units == Units::All) return fmt::format("all {} units simulated", prediction.compute_units);
  return fmt::format("one unit stands for {}", prediction.compute_units);
}

/// The simulated groups, where groups differ.
std::string simulated_groups(const Prediction& prediction) {
  const auto& [kinds, kinds_simulated, excess, largest] = prediction.sample;
  if (kinds == 1) return {};
  const Launch& launch = prediction.launch;
  if (prediction.units == Units::All || launch.groups_per_unit == launch.groups.value)
    return fmt::format("{} kinds of groups, all {} groups simulated\n", kinds, launch.groups.value);
  return fmt::format("{} kinds of groups; {} of {} groups simulated, of {} kinds, work {:+.2f} % off the average\n",
                     kinds, launch.groups_per_unit, launch.groups.value, kinds_simulated, 100 * excess);
}

/// The rates of the launch's work, and of bytes to and from memory: the bytes of its last level where known, else the
/// bytes stated by the kernel. Empty where nothing is known.
std::string achieved(const Prediction& prediction) {
  std::vector<std::string> rates;
  const double seconds = prediction.time.count;
  if (seconds <= 0) return {};
  if (const auto flops = prediction.launch.flops)
    rates.push_back(fmt::format("{:.4g} GFLOP/s", *flops / seconds / 1e9));
  if (const auto memory = memory_throughput(prediction))
    rates.push_back(fmt::format("{:.4g} {}", memory->amount / seconds, memory->unit));
  return fmt::format("{}", fmt::join(rates, ", "));
}

/// "8.1 to 31 us, by trips and branches that are guessed; with those below 16.3 us".
std::string shown_time(const Prediction& prediction, const std::optional<Interval>& guesses) {
  const auto time = show_time(prediction.time, interval_of_time(prediction));
  if (!guesses) return time;
  return fmt::format("{}, by trips and branches that are guessed; with those below {}", show_range(*guesses), time);
}

/// A remark on a time from runs of shorter launches.
std::string extended(const Prediction& prediction) {
  if (prediction.off == 0) return "";
  return fmt::format("; {:.2g} % of them simulated, the time may be {:.2g} % off (--tolerance)",
                     100 * prediction.simulated, 100 * prediction.off);
}

/// "64 of 64 warps per unit: 8 groups of 256 threads".
std::string resident(const Prediction& prediction) {
  const Launch& launch = prediction.launch;
  const auto most = launch.occupancy && *launch.occupancy > 0
                        ? fmt::format(" of {:.0f}", static_cast<double>(launch.resident_warps) / *launch.occupancy)
                        : std::string();
  return fmt::format("{}{} warp{} per unit: {} of {}{}", launch.resident_warps, most,
                     most.empty() && launch.resident_warps == 1 ? "" : "s", counted(launch.slots, "group"),
                     counted(launch.group_size.value, "thread"), launch.limits_ignored ? "; limits are ignored" : "");
}

/// How many of the latencies were not measured, and the first of these.
std::string measured(const LatencySources& sources) {
  constexpr std::size_t kNamed = 4;
  const auto& others = sources.not_measured;
  if (others.empty()) return fmt::format("all {} ops measured", sources.ops);
  const auto named = std::span(others).first(std::min(kNamed, others.size()));
  return fmt::format("{} of {} ops not measured: {}{}", others.size(), sources.ops, fmt::join(named, ", "),
                     others.size() > kNamed ? ", ..." : "");
}

std::string head(const Prediction& prediction, const std::optional<Interval>& guesses, const std::string& finding) {
  TextTable table({{"", Align::Left}, {"", Align::Left}});
  const auto& range = prediction.range;
  table.add({"time", shown_time(prediction, guesses)});
  table.add(
      {"cycles",
       fmt::format("{} at {}{}", format_cycles(prediction.cycles), show_clock(prediction.clock),
                   prediction.clock_limit.empty() ? "" : ", the most where " + prediction.clock_limit + " works")});
  if (prediction.total_time != prediction.time) {
    const auto of_total = range ? std::optional(range->total_time) : std::nullopt;
    table.add({"with launch overhead", show_time(prediction.total_time, of_total)});
  }
  if (!prediction.bounds.empty()) {
    table.add(
        {"limited by", fmt::format("{} ({:.3f} x its bound)", limiter_name(prediction), ratio_to_bound(prediction))});
  }
  if (const auto rates = achieved(prediction); !rates.empty()) table.add({"achieved", rates});
  if (const auto caches = show_caches(prediction); !caches.empty()) table.add({"caches", caches});
  if (prediction.off > 0)
    table.add({"warp instructions", fmt::format("{} issued{}", prediction.instructions_issued, extended(prediction))});
  table.add({"resident", resident(prediction)});
  table.add({"latencies", measured(prediction.sources)});
  return fmt::format("{}\n{}, policy {}{}{}\n{}\n{}{}{}",
                     kernel_on_device(prediction.kernel, prediction.device, prediction.device_title),
                     simulated_units(prediction), to_string(prediction.policy), prediction.form.empty() ? "" : "; ",
                     prediction.form, simulated_groups(prediction), finding, finding.empty() ? "" : "\n",
                     table.text(2));
}

std::string launch_part(const Prediction& prediction) {
  const Launch& launch = prediction.launch;
  TextTable table({{"Launch", Align::Left}, {"value"}, {"from", Align::Left}});
  const auto add = [&](const std::string& name, const Launch::Value& value) {
    table.add({"  " + name, fmt::format("{}", value.value), to_string(value.origin)});
  };
  const auto derived = [&](const std::string& name, std::int64_t value, const std::string& from) {
    table.add({"  " + name, fmt::format("{}", value), from});
  };
  for (const auto& [name, origin] : launch.parameter_origins)
    table.add({"  " + name, show_number(launch.values.at(name)), to_string(origin)});
  add("group size", launch.group_size);
  add("groups", launch.groups);
  add("concurrent groups", launch.concurrent_groups);
  derived("warps per group", launch.warps_per_group, "");
  derived("groups per unit", launch.groups_per_unit, fmt::format("{} units", prediction.compute_units));
  derived("resident warps", launch.resident_warps,
          launch.occupancy ? fmt::format("occupancy {}", show_percent(*launch.occupancy)) : std::string());
  derived("warp instructions", prediction.instructions_issued,
          fmt::format("the simulated {}", prediction.units == Units::All ? "units" : "unit"));
  const std::string ignored =
      launch.limits_ignored ? "  The concurrent groups are above what the unit holds: limits are ignored.\n" : "";
  return table.text() + ignored;
}

std::string warps_needed(const Prediction& prediction, const std::string& bound) {
  const auto& all = prediction.warps_needed;
  const auto needed = std::ranges::find(all, bound, &WarpsNeeded::name);
  return needed == all.end() ? std::string() : fmt::format("{:.1f}", needed->warps);
}

std::string bounds_part(const Prediction& prediction) {
  TextTable table({{"Bounds", Align::Left}, {"cycles"}, {"simulated / bound"}, {"warps needed"}});
  for (const auto& bound : prediction.bounds) {
    const double ratio = to_cycles(prediction.cycles).count / to_cycles(bound.cycles).count;
    table.add({"  " + bound.name, format_cycles(bound.cycles),
               bound.cycles.count > 0 ? fmt::format("{:.3f}", ratio) : "", warps_needed(prediction, bound.name)});
  }
  return table.text();
}

std::string pipelines_part(const Prediction& prediction) {
  TextTable table(
      {{"Pipelines", Align::Left}, {"utilisation"}, {"busy cycles"}, {"instances"}, {"one per", Align::Left}});
  for (const auto& use : prediction.pipelines) {
    const char* scope = use.scope == Scope::ComputeUnit ? "unit"
                        : use.scope == Scope::Scheduler ? "scheduler"
                                                        : "device";
    table.add({"  " + use.name, show_percent(use.utilization), format_cycles(use.busy),
               fmt::format("{}", use.instances), scope});
  }
  return table.text();
}

std::string fitted_numbers(const LatencySources& sources) {
  if (sources.fitted.empty()) return "";
  TextTable table({{"Fitted", Align::Left}, {"value"}, {"from"}, {"to"}, {"uncalibrated"}});
  for (const auto& [name, value, uncalibrated, interval] : sources.fitted)
    table.add({"  " + name, fmt::format("{:.5g}", value), fmt::format("{:.4g}", interval.low),
               fmt::format("{:.4g}", interval.high), fmt::format("{:.5g}", uncalibrated)});
  return "\n" + table.text();
}

std::string latencies_part(const LatencySources& sources) {
  TextTable table({{"Latencies", Align::Left}, {"ops"}});
  for (const auto& [kind, count] : sources.by_kind) table.add({"  " + to_string(kind), fmt::format("{}", count)});
  if (sources.without_source > 0) table.add({"  without a source", fmt::format("{}", sources.without_source)});
  const std::string which =
      sources.not_measured.empty() ? "" : fmt::format("  not measured: {}\n", fmt::join(sources.not_measured, ", "));
  return table.text() + which + fitted_numbers(sources);
}

}  // namespace

std::string write_text(const Prediction& prediction, SummaryPart part, const std::optional<Interval>& guesses,
                       const std::string& finding) {
  switch (part) {
    case SummaryPart::Launch:
      return launch_part(prediction);
    case SummaryPart::Pipelines:
      return pipelines_part(prediction);
    case SummaryPart::Bounds:
      return bounds_part(prediction);
    case SummaryPart::Latencies:
      return latencies_part(prediction.sources);
    case SummaryPart::Summary:
    case SummaryPart::All:
      break;
  }
  auto text = head(prediction, guesses, finding);
  if (part == SummaryPart::All)
    text += fmt::format("\n{}\n{}\n{}\n{}", bounds_part(prediction), pipelines_part(prediction),
                        launch_part(prediction), latencies_part(prediction.sources));
  return text;
}

namespace {

/// "l1 75.0 %, l2 20.0 %, dram 5.0 % of the loads": by executions.
std::string loads_by_level(const MemoryTraffic& memory) {
  std::vector<double> served(memory.levels.size());
  double loads = 0;
  for (const AccessTraffic& access : memory.accesses) {
    if (!access.op.starts_with("global.load")) continue;
    loads += access.executions;
    for (std::size_t k = 0; k < served.size(); ++k) served[k] += access.executions * access.levels[k].share;
  }
  if (loads == 0) return {};
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < served.size(); ++k)
    parts.push_back(fmt::format("{} {}", memory.levels[k].name, show_percent(served[k] / loads)));
  return fmt::format("{} of the loads", fmt::join(parts, ", "));
}

std::string levels_of_loads(const MemoryTraffic& memory) {
  std::string text = loads_by_level(memory);
  const auto assumed = std::ranges::count(memory.accesses, LevelsKnown::Assumed, &AccessTraffic::known);
  if (!text.empty() && assumed > 0)
    text += fmt::format("; of {} of {} accesses this is assumed", assumed, memory.accesses.size());
  return text;
}

}  // namespace

std::string show_caches(const Prediction& prediction) {
  if (!prediction.every_load_misses) return levels_of_loads(prediction.memory);
  const auto& [bytes, compulsory] = std::pair(prediction.launch.bytes, prediction.launch.compulsory_bytes);
  std::string text = "none: every global load goes to DRAM";
  if (bytes) text += fmt::format(", {} in all", show_bytes(*bytes));
  if (compulsory) text += fmt::format(", {} compulsory", show_bytes(*compulsory));
  return text;
}

}  // namespace warpipe
