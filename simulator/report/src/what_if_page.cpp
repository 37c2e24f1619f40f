#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "bars.hpp"
#include "chart.hpp"
#include "shown_time.hpp"
#include "tables.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/report/page.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/what_if_view.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostBars = 40;

std::string how(const Change& change) {
  std::string text = fmt::format("{}", fmt::join(change.options, " "));
  if (!change.needs.empty()) text += text.empty() ? "needs " + change.needs : fmt::format(", needs {}", change.needs);
  return change.remark.empty() ? text : fmt::format("{}: {}", text, change.remark);
}

Section changes_section(const WhatIf& what_if) {
  Bars bars{{}, {"faster"}, "saved, share of the run time", true};
  const bool ranges = has_ranges(what_if);
  PageTable tried{"Changes", {{"change"}, {"saved", true}, {"cycles", true}}, {}};
  if (ranges) tried.columns.push_back({kInNineOfTen, true});
  tried.columns.push_back({"how"});
  PageTable not_tried{"Not tried", {{"change"}, {"why"}}, {}};
  for (const Change& change : what_if.changes) {
    if (!change.cycles) {
      not_tried.rows.push_back({change.name, change.why_not});
      continue;
    }
    if (!is_gain(change)) continue;
    const auto saved = show_saved(change);
    bars.bars.push_back({change.name, change.saved, saved, "faster", how(change)});
    auto& row = tried.rows.emplace_back(std::vector{change.name, saved, format_cycles(*change.cycles)});
    if (ranges) row.push_back(change.range ? show_range(change.range->time) : "");
    row.push_back(how(change));
  }
  Section section{
      "Changes",
      "Each is simulated again. Where the time is exact, the options, given to simulate, predict the same cycles.",
      {},
      {}};
  if (const auto below = show_below_tolerance(what_if); !below.empty()) section.text += fmt::format(" {}.", below);
  if (!bars.bars.empty()) {
    const auto description = fmt::format("Share of the run time that each of {} changes saves; the best, {}, saves {}.",
                                         bars.bars.size(), tried.rows.front()[0], tried.rows.front()[1]);
    section.figures.push_back(bars_figure(
        {.id = "changes", .title = "Saved time (share of the run time)", .description = description}, bars));
    section.tables.push_back(tried);
  }
  if (!not_tried.rows.empty()) section.tables.push_back(not_tried);
  return section;
}

bool matters(const Elasticity& row) {
  constexpr double kShown = 0.0005;  // as three decimals show it
  return std::abs(row.central) >= kShown || std::abs(row.below) >= kShown || std::abs(row.above) >= kShown;
}

Section elasticity_section(const std::string& title, const std::string& id, const std::vector<Elasticity>& rows) {
  Records records{{"name", "cycles", "elasticity", "shorter", "longer"}, {}};
  PageTable table{
      title, {{"latency"}, {"cycles", true}, {"elasticity", true}, {"shorter", true}, {"longer", true}, {""}}, {}};
  for (const Elasticity& row : rows) {
    if (!matters(row)) continue;
    const auto name = fmt::format("{} {}", row.name, row.latency);
    if (records.rows.size() < kMostBars)
      records.rows.push_back({name, row.value.count, row.central, row.below, row.above});
    table.rows.push_back({name, fmt::format("{:.6g}", row.value.count), fmt::format("{:.3f}", row.central),
                          fmt::format("{:.3f}", row.below), fmt::format("{:.3f}", row.above),
                          sides_disagree(row) ? "sides disagree" : ""});
  }
  Section section{title, "", {}, {}};
  if (records.rows.empty()) {
    section.text = fmt::format("None of the {} latencies changes the time.", rows.size());
    return section;
  }
  section.text = fmt::format("{} more latencies have none.", rows.size() - table.rows.size());
  const auto description = fmt::format("Elasticities of the run time, strongest first: {} with {}.",
                                       table.rows.front()[0], table.rows.front()[2]);
  section.figures.push_back({Figure::Kind::Chart, id, "Elasticity (percent of time for a percent of latency)",
                             "The line goes from the elasticity of a shorter to that of a longer latency: where they "
                             "differ, the time has a kink.",
                             description, Chart("elasticities").data("latencies", records).text(description)});
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

Page page_of(const WhatIf& what_if) {
  const Prediction& base = what_if.base;
  Page page{fmt::format("{} on {}: what if?", base.kernel, base.device),
            base.device_title,
            {{"run time", show_time(base.time)}, {"cycles", format_cycles(base.cycles)}},
            {}};
  if (base.range) page.facts.emplace_back(kInNineOfTen, show_range(base.range->time));
  if (!base.bounds.empty())
    page.facts.emplace_back("limited by", fmt::format("{} ({:.3f} x)", limiter_name(base), ratio_to_bound(base)));
  if (!what_if.changes.empty()) page.sections.push_back(changes_section(what_if));
  if (!what_if.ops.empty()) page.sections.push_back(elasticity_section("Ops", "ops", what_if.ops));
  if (!what_if.instructions.empty())
    page.sections.push_back(elasticity_section("Instructions", "instructions", what_if.instructions));
  return page;
}

}  // namespace warpipe
