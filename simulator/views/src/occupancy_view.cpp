#include "warpipe/views/occupancy_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

/// The warps of a unit with as many groups as fit; the last launch values do not count here.
std::optional<std::int64_t> resident_warps(const OccupancyReport& report) {
  const auto& occupancy = report.occupancy;
  if (!occupancy.groups) return std::nullopt;
  return *occupancy.groups * occupancy.warps_per_group;
}

std::optional<double> fraction(const OccupancyReport& report) {
  const auto warps = resident_warps(report);
  if (!warps || report.limits.warps_per_unit.value_or(0) == 0) return std::nullopt;
  return static_cast<double>(*warps) / static_cast<double>(*report.limits.warps_per_unit);
}

std::vector<std::string> limiter_names(const Occupancy& occupancy) {
  std::vector<std::string> names;
  for (const auto limit : occupancy.limiters) names.push_back(to_string(limit));
  return names;
}

/// "3 with at most 80 registers per thread (now 96)".
std::string next_step(const LimitBound& bound, const GroupNeeds& needs) {
  if (!bound.next_step) return {};
  const auto told = [&](std::string_view what, std::int64_t now) {
    return fmt::format("{} with at most {} {} (now {})", bound.groups + 1, *bound.next_step, what, now);
  };
  switch (bound.limit) {
    case OccupancyLimit::Registers:
      return told("registers per thread", needs.registers_per_thread);
    case OccupancyLimit::SharedMemory:
      return told("bytes of shared memory per group", needs.shared_memory_per_group);
    case OccupancyLimit::Groups:
    case OccupancyLimit::Warps:
      break;
  }
  return told("threads per group", needs.group_size);
}

std::string headline(const OccupancyReport& report) {
  const auto& occupancy = report.occupancy;
  if (!occupancy.groups) return "No limit of the device binds: any number of groups fits.\n";
  const auto share = fraction(report);
  return fmt::format("{} concurrent group{} of {} warp{}: {} resident warps{}, limited by {}\n", *occupancy.groups,
                     *occupancy.groups == 1 ? "" : "s", occupancy.warps_per_group,
                     occupancy.warps_per_group == 1 ? "" : "s", *resident_warps(report),
                     share ? fmt::format(", occupancy {}", show_percent(*share)) : "",
                     fmt::join(limiter_names(occupancy), ", "));
}

}  // namespace

std::string show_occupancy(const OccupancyReport& report) {
  auto text = headline(report);
  if (report.concurrent_groups.origin != Origin::Occupancy)
    text += fmt::format("The {} asks for {}.\n", to_string(report.concurrent_groups.origin),
                        report.concurrent_groups.value);
  return text;
}

TextTable table_of(const OccupancyReport& report) {
  TextTable table({{"Limit", Align::Left}, {"groups"}, {"next step", Align::Left}});
  for (const auto& bound : report.occupancy.bounds)
    table.add({to_string(bound.limit), fmt::format("{}", bound.groups), next_step(bound, report.needs)});
  return table;
}

std::string write_text(const OccupancyReport& report) {
  const auto text =
      kernel_on_device(report.kernel, report.device, report.device_title) + "\n\n" + show_occupancy(report);
  return report.occupancy.bounds.empty() ? text : text + "\n" + table_of(report).text();
}

std::string write_json(const OccupancyReport& report) {
  const auto& occupancy = report.occupancy;
  JsonWriter json;
  json.begin_object().member("format", "warpipe-occupancy").member("version", std::int64_t{1});
  json.member("kernel", report.kernel).member("device", report.device);
  json.member("group_size", report.needs.group_size).member("warps_per_group", occupancy.warps_per_group);
  json.member("registers_per_thread", report.needs.registers_per_thread);
  json.member("shared_memory_per_group_bytes", report.needs.shared_memory_per_group);
  json.member("groups", occupancy.groups).member("resident_warps", resident_warps(report));
  json.member("occupancy", fraction(report));
  json.key("limiters").begin_array();
  for (const auto& name : limiter_names(occupancy)) json.value(name);
  json.end_array().key("limits").begin_array();
  for (const auto& bound : occupancy.bounds) {
    json.begin_object().member("name", to_string(bound.limit)).member("groups", bound.groups);
    json.member("next_step", bound.next_step).end_object();
  }
  json.end_array();
  json.key("concurrent_groups").begin_object().member("value", report.concurrent_groups.value);
  json.member("from", to_string(report.concurrent_groups.origin)).end_object().end_object();
  return json.text();
}

}  // namespace warpipe
