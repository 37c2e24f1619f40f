#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "chart.hpp"
#include "shown_time.hpp"
#include "tables.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/difference_view.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostParts = 12;

/// A bar for A and a bar for B, for each part of the time.
Figure sides_figure(const std::string& id, const std::string& title, std::vector<ChangedPart> parts) {
  parts.resize(std::min(parts.size(), kMostParts));
  Seconds longest;
  for (const auto& part : parts) longest = std::max({longest, part.a, part.b});
  const auto unit = unit_for(longest);
  Records records{{"name", "side", "time", "shown", "change"}, {}};
  for (const auto& part : parts) {
    const auto change = fmt::format("{}{}", part.change() < 0 ? "-" : "+", show_time(Seconds{std::abs(part.change())}));
    records.rows.push_back({part.name, "A", part.a.count / unit.seconds, show_time(part.a), change});
    records.rows.push_back({part.name, "B", part.b.count / unit.seconds, show_time(part.b), change});
  }
  const auto& first = parts.front();
  const auto description = fmt::format("{}, before and after; the largest change is that of {}, from {} to {}.", title,
                                       first.name, show_time(first.a), show_time(first.b));
  Chart chart("sides");
  chart.data("sides", records).set("/encoding/x/title", fmt::format("time of the mean warp ({})", unit.name));
  return {.id = id,
          .title = fmt::format("{} ({})", title, unit.name),
          .caption = "What changed most comes first.",
          .description = description,
          .content = chart.text(description)};
}

/// Lines as sentences of a paragraph.
std::string paragraph(const std::string& lines) {
  std::string text;
  for (const char c : lines) {
    if (c == '\n' && !text.ends_with('.')) text += '.';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

std::string title_of(const Prediction& a, const Prediction& b) {
  if (a.kernel != b.kernel && a.device == b.device) return fmt::format("{} to {} on {}", a.kernel, b.kernel, a.device);
  if (a.kernel == b.kernel && a.device != b.device) return fmt::format("{} on {} to {}", a.kernel, a.device, b.device);
  return fmt::format("{} on {} to {} on {}", a.kernel, a.device, b.kernel, b.device);
}

}  // namespace

Page page_of(const Difference& difference) {
  const Prediction& a = difference.a.prediction;
  const Prediction& b = difference.b.prediction;
  Page page{title_of(a, b), "A is before, B after.", {{"A", show_time(a.time)}, {"B", show_time(b.time)}}, {}};
  if (a.time.count > 0) page.facts.emplace_back("change", show_signed_percent(slowdown(difference)));
  page.sections.push_back({"What changed", paragraph(show_change(difference) + show_missing(difference)), {}, {}});
  Section changed{"What accounts for it", "", {}, {}};
  Section differs{"What else differs", "", {}, {}};
  if (const auto parts = changes_by_stall(difference); !parts.empty())
    changed.figures.push_back(sides_figure("stalls", "Time by state", parts));
  if (const auto parts = changes_by_line(difference); !parts.empty())
    changed.figures.push_back(sides_figure("lines", "Time by source line", parts));
  for (const auto& table : tables_of(difference)) {
    const auto& caption = table.columns().front().title;
    const bool accounts = caption == "Stalls" || caption == "Source lines" || caption == "Accounts for it";
    (accounts ? changed : differs).tables.push_back(page_table(table));
  }
  if (!changed.figures.empty() || !changed.tables.empty()) page.sections.push_back(std::move(changed));
  if (!differs.tables.empty()) page.sections.push_back(std::move(differs));
  return page;
}

}  // namespace warpipe
