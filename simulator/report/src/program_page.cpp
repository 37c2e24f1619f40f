#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "bars.hpp"
#include "chart.hpp"
#include "shown_time.hpp"
#include "tables.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostSpans = 3000, kMostKernels = 24, kMostColours = 8;
constexpr const char* kOthers = "others";

struct Share {
  std::string name;
  Seconds time;
};

/// The time of each kernel, the longest first.
std::vector<Share> shares_of(const ProgramReport& report) {
  std::map<std::string, double> seconds;
  for (const auto& span : report.spans)
    if (!span.is_copy) seconds[span.name] += span.busy.count;
  std::vector<Share> shares;
  for (const auto& [name, time] : seconds) shares.push_back({name, Seconds{time}});
  std::ranges::stable_sort(shares, std::ranges::greater{}, [](const Share& share) { return share.time.count; });
  return shares;
}

Figure kernels_figure(const std::vector<Share>& shares) {
  Seconds all;
  for (const auto& share : shares) all.count += share.time.count;
  Bars bars{{}, {"kernel"}, "share of the time in kernels", true};
  for (std::size_t i = 0; i < std::min(shares.size(), kMostKernels); ++i) {
    const double part = all.count > 0 ? shares[i].time.count / all.count : 0;
    bars.bars.push_back({shares[i].name, part, show_percent(part), "kernel", show_time(shares[i].time)});
  }
  const auto description = fmt::format("The share of each of {} kernels in the time of all; the largest is that of {}.",
                                       shares.size(), shares.front().name);
  return bars_figure({.id = "kernels", .title = "Time by kernel", .description = description}, bars);
}

Figure timeline_figure(const ProgramReport& report, const std::vector<Share>& shares) {
  std::vector<std::string> colours;
  for (std::size_t i = 0; i < std::min(shares.size(), kMostColours); ++i) colours.push_back(shares[i].name);
  if (shares.size() > kMostColours) colours.emplace_back(kOthers);
  if (std::ranges::any_of(report.spans, &ProgramReport::Span::is_copy)) colours.emplace_back("copy");
  const std::size_t shown = std::min(report.spans.size(), kMostSpans);
  Seconds last;
  for (std::size_t i = 0; i < shown; ++i) last = std::max(last, report.spans[i].end);
  const auto unit = unit_for(last);
  Records records{{"name", "colour", "track", "begin", "end", "shown", "at", "detail"}, {}};
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& span = report.spans[i];
    const bool is_known = std::ranges::count(colours, span.name) > 0;
    records.rows.push_back({span.name,
                            span.is_copy ? "copy"
                            : is_known   ? span.name
                                         : kOthers,
                            span.track, span.begin.count / unit.seconds, span.end.count / unit.seconds,
                            show_time(Seconds{span.end.count - span.begin.count}), show_time(span.begin),
                            text_cell(span.detail)});
  }
  const auto description = fmt::format("What runs when: {} launches and copies up to {}.", shown, show_time(last));
  Chart chart("timeline");
  chart.data("spans", records).set("/encoding/x/title", fmt::format("time ({})", unit.name));
  chart.set("/encoding/color/scale/domain", colours);
  return {.id = "timeline",
          .title = fmt::format("Timeline ({})", unit.name),
          .caption = shown < report.spans.size()
                         ? fmt::format("The first {} of {} launches and copies.", shown, report.spans.size())
                         : std::string(),
          .description = description,
          .content = chart.text(description)};
}

}  // namespace

ProgramReport report_of(const ProgramTimes& program) {
  ProgramReport report{fmt::format("{} launches on {}", sum_of(program).launches, program.device.name),
                       program.device.title,
                       show_sum(program) + ".",
                       {},
                       {{"Launches", table_of(program)}}};
  const double gap = program.device.launch_gap.value_or(Seconds{0}).count;
  double now = program.device.launch_overhead.count;
  for (const auto& launch : program.launches) {
    if (!launch.prediction || launch.times == 0) continue;
    const double run = launch.prediction->time.count, times = static_cast<double>(launch.times);
    const double step = std::max(run + gap, program.device.launch_interval.count);
    report.spans.push_back({launch.entry, "launches", Seconds{now}, Seconds{now + (times - 1) * step + run},
                            fmt::format("line {}: {} of {}", launch.line, launch.times, show_time(Seconds{run})),
                            Seconds{times * run}});
    now += times * step;
  }
  return report;
}

Page page_of(const ProgramReport& report) {
  Page page{report.title, report.subtitle, {}, {}, report.sum};
  Section section{"Time", "", {}, {}};
  const auto shares = shares_of(report);
  if (!shares.empty()) section.figures.push_back(kernels_figure(shares));
  if (!report.spans.empty()) section.figures.push_back(timeline_figure(report, shares));
  page.sections.push_back(std::move(section));
  Section tables{"Numbers", "", {}, {}};
  for (const auto& [caption, table] : report.tables) tables.tables.push_back(page_table(table, caption));
  page.sections.push_back(std::move(tables));
  PageTable notes{"What these times rest on", {{"note"}}, {}};
  for (const auto& note : report.notes) notes.rows.push_back({note});
  if (!notes.rows.empty()) page.sections.push_back({"Notes", "", {}, {std::move(notes)}});
  return page;
}

}  // namespace warpipe
