#include "warpipe/views/timeline_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "warpipe/explain/explain.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

constexpr std::int64_t kMostColumns = 80, kLeastColumns = 20;
constexpr std::int64_t kMarkEvery = 10;  // columns

constexpr std::string_view kLegend =
    "I issues   e executes   E completes   b waits at the barrier\n"
    "= waits for an operand   - warp interval\n"
    "s scheduler busy   p pipeline busy   q queue full\n";

char sign_of(Stall stall) {
  switch (stall) {
    case Stall::Interval:
      return '-';
    case Stall::Result:
      return '=';
    case Stall::Pipeline:
      return 'p';
    case Stall::Backlog:
      return 'q';
    default:
      return 's';
  }
}

/// Columns of 1, 2, 5, 10, ... cycles.
std::int64_t column_width(const Timeline& timeline, std::int64_t most_columns) {
  const std::int64_t span = timeline.to.count - timeline.from.count;
  for (std::int64_t width = kTicksPerCycle;; width *= 10)
    for (const std::int64_t factor : {1, 2, 5})
      if (span <= most_columns * factor * width) return factor * width;
}

/// @return the places left by a width beside the names of the rows
std::int64_t columns_beside_names(const Timeline& timeline, std::optional<std::size_t> width) {
  if (!width) return kMostColumns;
  std::size_t names = timeline.units > 1 ? std::string_view("unit  group  warp    ").size()
                                         : std::string_view("group  warp    ").size();
  std::size_t id = std::string_view("instruction").size(), op = 0;
  for (const TimelineRow& row : timeline.rows) {
    id = std::max(id, width_of(row.id));
    op = std::max(op, width_of(row.op) + 2);
  }
  names += id + op;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(*width) - static_cast<std::int64_t>(names), kLeastColumns,
                                  kMostColumns);
}

struct Columns {
  std::int64_t from = 0, width = kTicksPerCycle;

  std::int64_t begin(std::int64_t column) const { return from + column * width; }
  bool holds(std::int64_t column, std::int64_t time) const {
    return time >= begin(column) && time < begin(column) + width;
  }
  std::int64_t overlap(std::int64_t column, Ticks a, Ticks b) const {
    return std::min(begin(column) + width, b.count) - std::max(begin(column), a.count);
  }
};

char sign_at(const TimelineRow& row, const Columns& columns, std::int64_t column) {
  if (columns.holds(column, row.issue.count)) return 'I';
  if (row.end > row.issue && columns.holds(column, row.end.count - 1)) return 'E';
  char sign = ' ';
  std::int64_t longest = 0;
  const auto consider = [&](char candidate, Ticks from, Ticks to) {
    const std::int64_t time = columns.overlap(column, from, to);
    if (time <= longest) return;
    longest = time;
    sign = candidate;
  };
  for (const StallInterval& wait : row.waits) consider(sign_of(wait.stall), wait.from, wait.to);
  consider(row.is_barrier ? 'b' : 'e', row.issue, row.end);
  return sign;
}

std::string signs(const TimelineRow& row, const Columns& columns, std::int64_t count) {
  std::string text;
  for (std::int64_t column = 0; column < count; ++column) text += sign_at(row, columns, column);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// The cycles above every tenth column, and marks below them.
std::pair<std::string, std::string> scale(const Columns& columns, std::int64_t count) {
  std::string numbers, marks;
  for (std::int64_t column = 0; column < count; column += kMarkEvery) {
    const auto at = static_cast<std::size_t>(column);
    const auto number = format_cycles(Ticks{columns.begin(column)});
    if (numbers.size() > at) continue;  // the number before is long
    if (column > 0 && at + number.size() > static_cast<std::size_t>(count)) break;
    numbers.resize(at, ' ');
    marks.resize(at, ' ');
    numbers += number + " ";
    marks += "|";
  }
  return {numbers.substr(0, numbers.find_last_not_of(' ') + 1), marks};
}

std::string chart(const Timeline& timeline, const Columns& columns, std::int64_t count) {
  const bool all_units = timeline.units > 1;
  std::vector<TextTable::Column> head{
      {"group"}, {"warp"}, {"instruction", Align::Left}, {"", Align::Left}, {"", Align::Left}};
  if (all_units) head.insert(head.begin(), {"unit"});
  const auto [numbers, marks] = scale(columns, count);
  head.back().title = marks;
  TextTable table(head);
  const auto add = [&](std::vector<std::string> cells, const std::string& unit) {
    if (all_units) cells.insert(cells.begin(), unit);
    table.add(std::move(cells));
  };
  for (const TimelineRow& row : timeline.rows)
    add({fmt::format("{}", row.group), fmt::format("{}", row.warp), row.id, row.op, signs(row, columns, count)},
        fmt::format("{}", row.unit));
  const std::string text = table.text();
  const std::string first_line = text.substr(0, text.find('\n'));
  return std::string(first_line.size() - marks.size(), ' ') + numbers + "\n" + text;
}

}  // namespace

std::string write_text(const Timeline& timeline, std::optional<std::size_t> width) {
  // Whole columns, so the same cycle stands in the same place in every window.
  Columns columns{0, column_width(timeline, columns_beside_names(timeline, width))};
  columns.from = timeline.from.count / columns.width * columns.width;
  const std::int64_t count = (timeline.to.count - columns.from + columns.width - 1) / columns.width;
  const std::string column = columns.width == kTicksPerCycle
                                 ? "a column is a cycle"
                                 : fmt::format("a column is {} cycles", format_cycles(Ticks{columns.width}));
  std::string text = fmt::format(
      "Timeline of {}: {}cycles {} to {} of {}, {}\n\n", kernel_on_device(timeline.kernel, timeline.device),
      timeline.shown, format_cycles(timeline.from), format_cycles(timeline.to), format_cycles(timeline.cycles), column);
  if (timeline.rows.empty()) return text + "No instruction is in this window.\n";
  text += chart(timeline, columns, count) + "\n" + std::string(kLegend);
  if (timeline.left_out > 0)
    text += fmt::format("{} more executions are left out: a narrower window, or fewer groups or warps, shows them\n",
                        timeline.left_out);
  return text;
}

std::string timeline_json(const Timeline& timeline) {
  JsonWriter json(JsonWriter::Layout::Indented, 1);
  json.begin_object().member("from", timeline.from).member("to", timeline.to);
  json.member("left_out", timeline.left_out).key("executions").begin_array();
  for (const TimelineRow& row : timeline.rows) {
    json.begin_object().member("group", row.group).member("unit", row.unit).member("slot", row.slot);
    json.member("warp", row.warp).member("id", row.id).member("op", row.op);
    json.key("waits").begin_array();
    for (std::size_t i = 0; i < row.waits.size(); ++i) {
      json.begin_object().member("state", to_string(row.waits[i].stall));
      if (!row.causes[i].empty()) json.member("cause", row.causes[i]);
      json.member("from", row.waits[i].from).member("to", row.waits[i].to).end_object();
    }
    json.end_array().member("issue", row.issue).member("end", row.end).end_object();
  }
  return json.end_array().end_object().value_text();
}

}  // namespace warpipe
