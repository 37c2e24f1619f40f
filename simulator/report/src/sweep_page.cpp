#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sweep_figures.hpp"
#include "tables.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostTableRows = 500;

}  // namespace

Page page_of(const SweepTable& table) {
  if (table.points.size() > kMostPagePoints)
    throw UsageError(Diagnostic{"`html`", fmt::format("a page can show at most {} points", kMostPagePoints),
                                fmt::format("found {}", table.points.size()), "vary less, or write `csv`"});
  const auto points = predicted_points(table);
  const auto works = named_works(table);
  const auto* best = works.size() == 1 ? works.front().fastest : nullptr;
  Page page;
  page.title = "Sweep";
  if (!points.empty()) {
    const auto& prediction = *points.front()->prediction;
    const auto varies = [&](Variation::Kind kind) {
      return std::ranges::count(table.variations, kind, &Variation::kind);
    };
    const bool kernels = varies(Variation::Kind::Kernel) > 0, devices = varies(Variation::Kind::Device) > 0;
    page.title = fmt::format("{} on {}: sweep", kernels ? "kernels" : prediction.kernel,
                             devices ? "devices" : prediction.device);
    if (!devices) page.subtitle = prediction.device_title;
    page.facts = {{"points", fmt::format("{}", table.points.size())}};
  }
  if (best != nullptr) {
    page.facts.emplace_back("fastest", show_time(best->prediction->time));
    page.facts.emplace_back("fastest at", show_point(table.variations, *best));
    if (const auto others = works.front().ties.size(); others > 0)
      page.facts.emplace_back(fmt::format("within {:.0f} % of it", 100 * kTie),
                              fmt::format("{} other{}", others, others == 1 ? "" : "s"));
  } else if (!points.empty()) {
    page.facts.emplace_back("work", "differs: none is the fastest");
    if (const auto* highest = highest_throughput(table.points, table.variations))
      page.facts.emplace_back("highest throughput at", show_point(table.variations, *highest));
  }
  const std::size_t shown = std::min(table.points.size(), kMostTableRows);
  const std::string text =
      shown < table.points.size()
          ? fmt::format("The table shows the first {} points; a CSV file holds all of them.", shown)
          : std::string();
  const std::vector<SweepPoint> rows(table.points.begin(), table.points.begin() + static_cast<std::ptrdiff_t>(shown));
  auto run_time = sweep_section(table);
  const auto points_of_page = points_table("Points", names_of(table.variations), rows, best != nullptr);
  if (run_time.are_multiples) {
    page.sections.push_back(std::move(run_time));
    page.sections.push_back({"Points", text, {}, {points_of_page}});
  } else {
    run_time.text = text;
    run_time.tables = {points_of_page};
    page.sections.push_back(std::move(run_time));
  }
  return page;
}

}  // namespace warpipe
