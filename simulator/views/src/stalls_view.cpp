#include "warpipe/views/stalls_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "warpipe/views/numbers.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

/// A part of a state's time.
struct Part {
  std::string name;
  Ticks time;
  std::set<std::string> nsight;
};

/// Parts by name, the longest first; small parts are summed up.
std::vector<Part> sorted(const std::map<std::string, Part>& parts, Ticks whole) {
  constexpr double kLeastShown = 0.005;
  std::vector<Part> all;
  Part rest;
  std::size_t in_rest = 0;
  for (const auto& [name, part] : parts) {
    if (part.time == Ticks{}) continue;
    if (share(part.time, whole) >= kLeastShown) {
      all.push_back({name, part.time, part.nsight});
    } else {
      ++in_rest;
      rest.name = name;
      rest.time = checked_add(rest.time, part.time);
      rest.nsight.insert(part.nsight.begin(), part.nsight.end());
    }
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, &Part::time);
  if (in_rest > 1) rest.name = fmt::format("{} more", in_rest);
  if (in_rest > 0) all.push_back(rest);
  return all;
}

void add(Part& part, Ticks time, const std::string& nsight) {
  part.time = checked_add(part.time, time);
  if (!nsight.empty()) part.nsight.insert(nsight);
}

/// The parts of a state's time: by awaited instruction or pipeline; else by waiting instruction.
std::vector<Part> parts_of(const Explanation& explanation, Stall stall) {
  std::map<std::string, Part> parts;
  for (const InstructionTimes& instruction : explanation.instructions) {
    const Ticks time = instruction.times[static_cast<std::size_t>(stall)];
    if (stall == Stall::Result)
      add(parts["of " + instruction.id], instruction.waited_for, nsight_name(stall, instruction.op));
    if (stall == Stall::Pipeline && time > Ticks{})
      add(parts[instruction.pipeline], time, nsight_name(stall, instruction.op));
    if (stall == Stall::Backlog)
      for (const auto& [pipeline, behind] : instruction.waits_behind) add(parts[pipeline], behind, nsight_name(stall));
    if (stall == Stall::Barrier || stall == Stall::Drain) add(parts[instruction.id], time, nsight_name(stall));
  }
  return sorted(parts, explanation.total);
}

/// The least and the largest share of a state over all units, as text; empty for a single unit.
std::pair<std::string, std::string> range_over_units(const Explanation& explanation, Stall stall) {
  if (explanation.units.size() == 1) return {};
  std::vector<double> shares;
  for (const StallTimes& unit : explanation.units)
    shares.push_back(share(unit[static_cast<std::size_t>(stall)], sum(unit)));
  return {show_percent(std::ranges::min(shares)), show_percent(std::ranges::max(shares))};
}

/// The number of warp slots, over all simulated units.
double warp_slots(const Explanation& explanation) { return share(explanation.total, explanation.cycles); }

}  // namespace

std::string write_stalls_text(const Explanation& explanation) {
  TextTable table({{"Stalls", Align::Left},
                   {"share"},
                   {"cycles per warp"},
                   {"in Nsight Compute", Align::Left},
                   {explanation.units.size() > 1 ? "least of a unit" : ""},
                   {explanation.units.size() > 1 ? "most" : ""}});
  const auto row = [&](const std::string& name, Ticks time, const std::string& nsight, Stall stall, bool with_units) {
    const auto [least, most] =
        with_units ? range_over_units(explanation, stall) : std::pair<std::string, std::string>();
    table.add({name, show_percent(share(time, explanation.total)),
               fmt::format("{:.1f}", to_cycles(time).count / std::max(warp_slots(explanation), 1.0)), nsight, least,
               most});
  };
  for (std::size_t i = 0; i < kStalls; ++i) {
    const auto stall = static_cast<Stall>(i);
    if (explanation.times[i] == Ticks{}) continue;
    const std::vector<Part> parts = parts_of(explanation, stall);
    row("  " + to_string(stall), explanation.times[i], parts.empty() ? nsight_name(stall) : "", stall, true);
    for (const Part& part : parts)
      row("    " + part.name, part.time, fmt::format("{}", fmt::join(part.nsight, ", ")), stall, false);
  }
  row("  all", explanation.total, "", Stall::Empty, false);
  return table.text();
}

}  // namespace warpipe
