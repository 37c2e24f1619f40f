#include "warpipe/views/what_if_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "warpipe/explain/result_json.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/idg/printable.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/text_table.hpp"
#include "warpipe/views/wrap.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

constexpr double kShown = 0.0005;  // of the time: one decimal of a percent shows it

constexpr const char* kRangesGoTogether =
    "What is off in the numbers of the device is off for each change alike: while the\n"
    "limit stays, what is saved is surer than the times.";

std::string head(const WhatIf& what_if) {
  const Prediction& base = what_if.base;
  const std::string limiter = base.bounds.empty() ? ""
                                                  : fmt::format(", limited by {} ({:.3f} x its bound)",
                                                                limiter_name(base), ratio_to_bound(base));
  return fmt::format("{}\n{}, {} cycles{}\n{}", kernel_on_device(base.kernel, base.device, base.device_title),
                     show_time(base.time, interval_of_time(base)), format_cycles(base.cycles), limiter,
                     base.range ? fmt::format("{}\n", kRangesGoTogether) : "");
}

/// The options or the needs of a change, then its remark. For a change of the source the author's work, as no option
/// does it.
std::string how(const Change& change) {
  if (change.part == ChangePart::Source && !change.needs.empty()) return change.needs;
  std::string text = fmt::format("{}", fmt::join(change.options, " "));
  if (!change.needs.empty()) text += text.empty() ? "needs " + change.needs : fmt::format(", needs {}", change.needs);
  return change.remark.empty() ? text : fmt::format("{}: {}", text, change.remark);
}

/// The columns, with widths known before the first change is tried, so a row stays as it is when more rows follow.
std::vector<TextTable::Column> columns_of_changes(const WhatIf& what_if) {
  std::size_t name = 0;
  const auto make_room = [&](const std::string& each) { name = std::max(name, 2 + width_of(printable(each))); };
  for (const Change& change : what_if.changes)
    if (change.cycles || change.left_out) make_room(change.name);
  std::ranges::for_each(what_if.pending.changes, make_room);
  const Prediction& base = what_if.base;
  const Ticks with_decimals{base.cycles.count | 1};  // an odd number of milli-cycles has three decimals
  std::vector<TextTable::Column> columns{{"Changes", Align::Left, name},
                                         {"of", Align::Left, width_of("device")},
                                         {"saved", Align::Right, width_of("-100.0 %")},
                                         {"cycles", Align::Right, width_of(format_cycles(with_decimals))}};
  if (has_ranges(what_if))
    columns.push_back({kInNineOfTen, Align::Right, base.range ? width_of(show_range(base.range->time)) : 0});
  columns.push_back({"how", Align::Left});
  return columns;
}

/// @param count  of the changes to look at; a row for each gain among them
std::string rows_of_changes(const WhatIf& what_if, std::size_t count) {
  TextTable table(columns_of_changes(what_if));
  const bool ranges = has_ranges(what_if);
  bool is_empty = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Change& change = what_if.changes[i];
    if (!is_gain(change)) continue;
    std::vector<std::string> cells{"  " + change.name, to_string(change.part), show_saved(change),
                                   format_cycles(*change.cycles)};
    if (ranges) cells.push_back(change.range ? show_range(change.range->time) : "");
    cells.push_back(how(change));
    table.add(std::move(cells));
    is_empty = false;
  }
  return is_empty ? "" : "\n" + table.text();
}

/// A list of names in lines, with its end.
std::string list_of(const std::string& caption, const std::vector<std::string>& names) {
  constexpr std::size_t kColumns = 80;
  if (names.empty()) return {};
  std::string text = "\n";
  for (const auto& line : wrap(printable(fmt::format("{}: {}.", caption, fmt::join(names, ", "))), kColumns))
    text += line + '\n';
  return text;
}

/// The changes without rows, and further questions.
std::string other_changes(const WhatIf& what_if) {
  std::vector<std::string> no_gain, not_tried;
  for (const Change& change : what_if.changes) {
    if (!change.cycles)
      not_tried.push_back(change.name);
    else if (is_told(change) && !is_gain(change))
      no_gain.push_back(std::abs(change.saved) < kShown ? change.name
                                                        : fmt::format("{} ({})", change.name, show_saved(change)));
  }
  std::string text = show_below_tolerance(what_if);
  if (!text.empty()) text = "\n" + printable(text) + "\n";
  text += list_of("No gain", no_gain) + list_of("Not tried, as --json says why", not_tried);
  if (!what_if.changes.empty() && !what_if.with_device) text += "\nMore: --part device; sweep --vary tries blocks.\n";
  return text;
}

/// As three decimals show it.
bool is_zero(double elasticity) { return std::abs(elasticity) < 0.0005; }

bool is_none(const Elasticity& row) { return is_zero(row.central) && is_zero(row.below) && is_zero(row.above); }

std::string show(double elasticity) { return fmt::format("{:.3f}", is_zero(elasticity) ? 0.0 : elasticity); }

std::string elasticities(const std::string& caption, const std::vector<Elasticity>& rows, bool with_op) {
  const bool has_text = std::ranges::any_of(rows, [](const Elasticity& row) { return !row.text.empty(); });
  TextTable table({{caption, Align::Left},
                   {"", Align::Left},
                   {"", Align::Left},
                   {"cycles"},
                   {"elasticity"},
                   {"shorter"},
                   {"longer"},
                   {"", Align::Left},
                   {has_text ? "text" : "", Align::Left}});
  for (const Elasticity& row : rows) {
    if (is_none(row)) continue;
    table.add({"  " + row.name, with_op ? row.op : "", row.latency, fmt::format("{:.6g}", row.value.count),
               show(row.central), show(row.below), show(row.above), sides_disagree(row) ? "sides disagree" : "",
               row.text});
  }
  const auto none = std::ranges::count_if(rows, is_none);
  return fmt::format("\n{}{}", table.text(), none > 0 ? fmt::format("  {} more have none.\n", none) : "");
}

/// The notes below the tables.
std::string notes(const WhatIf& what_if) {
  std::string text;
  double off = 0;
  for (const auto* rows : {&what_if.ops, &what_if.instructions})
    for (const Elasticity& row : *rows) off = std::max(off, row.off);
  if (off > 0)
    text += fmt::format("\nWhat moves the time by less than {:g} % (--tolerance) counts as none.\n", 100 * off);
  if (std::ranges::any_of(what_if.ops, sides_disagree) || std::ranges::any_of(what_if.instructions, sides_disagree))
    text +=
        "\nWhere the sides disagree in sign, the order changes in which warps issue, an\n"
        "anomaly of greedy scheduling: rely on neither figure, try another step.\n";
  return text;
}

/// @param ops, instructions  whether they are shown
std::string all_elasticities(const WhatIf& what_if, bool ops, bool instructions) {
  ops = ops && !what_if.ops.empty();
  instructions = instructions && !what_if.instructions.empty();
  if (!ops && !instructions) return {};
  std::string text = fmt::format(
      "\nElasticity: the percentage that the time grows by where a latency grows by one\n"
      "percent. Simulated again with each latency {:g} % shorter and longer, at least\n"
      "0.001 cycles.\n",
      100 * what_if.step);
  if (ops) text += elasticities("Ops", what_if.ops, false);
  if (instructions) text += elasticities("Instructions", what_if.instructions, true);
  return text;
}

void write_changes(JsonWriter& json, const WhatIf& what_if) {
  json.key("changes").begin_array();
  for (const Change& change : what_if.changes) {
    json.begin_object().member("name", change.name).member("part", to_string(change.part)).key("options").begin_array();
    for (const std::string& word : change.options) json.value(word);
    json.end_array().member("needs", change.needs).member("cycles", change.cycles);
    json.member("saved", change.cycles && is_told(change) ? std::optional(change.saved) : std::nullopt);
    if (change.off > 0) json.member("off", change.off);
    if (change.range) write_range(json, *change.range);
    json.member("remark", change.remark).member("why_not", change.why_not).end_object();
  }
  json.end_array();
}

void write_elasticities(JsonWriter& json, std::string_view key, const std::vector<Elasticity>& rows) {
  json.key(key).begin_array();
  for (const Elasticity& row : rows) {
    json.begin_object().member("name", row.name).member("op", row.op);
    if (!row.text.empty()) json.member("text", row.text);
    json.member("latency", row.latency);
    json.member("value_cycles", row.value.count).member("less_cycles", row.less.count);
    json.member("more_cycles", row.more.count).member("cycles_less", row.cycles_less);
    json.member("cycles_more", row.cycles_more);
    if (row.off > 0) json.member("off", row.off);
    json.member("elasticity", row.central);
    json.member("elasticity_shorter", row.below).member("elasticity_longer", row.above);
    json.member("sides_disagree", sides_disagree(row)).end_object();
  }
  json.end_array();
}

}  // namespace

std::string show_saved(const Change& change) {
  // -0.0 % would be read as a loss.
  return show_percent(std::round(change.saved * 1000) / 1000 + 0.0);
}

std::string show_below_tolerance(const WhatIf& what_if) {
  std::vector<std::string> names;
  double tolerance = 0;
  for (const Change& change : what_if.changes) {
    if (is_told(change)) continue;
    names.push_back(change.name);
    tolerance = change.off;
  }
  if (names.empty()) return {};
  return fmt::format("{} below {:g} % (--tolerance): {}", names.size(), 100 * tolerance, fmt::join(names, ", "));
}

std::string write_text(const WhatIf& what_if) {
  const auto tried =
      std::ranges::count_if(what_if.changes, [](const Change& change) { return change.cycles.has_value(); });
  return head(what_if) + rows_of_changes(what_if, static_cast<std::size_t>(tried)) + other_changes(what_if) +
         all_elasticities(what_if, true, true) + notes(what_if);
}

std::string write_certain_text(const WhatIf& what_if) {
  const WhatIf::Pending& pending = what_if.pending;
  std::string text = head(what_if) + rows_of_changes(what_if, what_if.certain);
  if (!pending.changes.empty()) return text;
  text += other_changes(what_if) + all_elasticities(what_if, !pending.ops, !pending.ops && !pending.instructions);
  return pending.ops || pending.instructions ? text : text + notes(what_if);
}

std::string write_json(const WhatIf& what_if) {
  const Prediction& base = what_if.base;
  JsonWriter json;
  json.begin_object().member("format", "warpipe-what-if").member("version", std::int64_t{1});
  json.member("kernel", base.kernel).member("device", base.device).member("cycles", base.cycles);
  json.member("time_s", base.time.count).member("clock_hz", base.clock.count).member("step", what_if.step);
  if (base.range) write_range(json, *base.range);
  if (!base.bounds.empty()) json.member("limiter", limiter_name(base));
  write_changes(json, what_if);
  write_elasticities(json, "ops", what_if.ops);
  write_elasticities(json, "instructions", what_if.instructions);
  json.end_object();
  return json.text();
}

}  // namespace warpipe
