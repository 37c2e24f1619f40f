#include "warpipe/views/what_if_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "text_table.hpp"
#include "warpipe/explain/result_json.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

constexpr const char* kRangesGoTogether =
    "What is off in the numbers of the device is off for each change alike: while the limit stays, what is saved is\n"
    "surer than the times.";

std::string head(const WhatIf& what_if) {
  const Prediction& base = what_if.base;
  const std::string limiter = base.bounds.empty() ? ""
                                                  : fmt::format(", limited by {} ({:.3f} x its bound)",
                                                                limiter_name(base), ratio_to_bound(base));
  return fmt::format("{}\n{}, {} cycles{}\n{}", kernel_on_device(base.kernel, base.device, base.device_title),
                     show_time(base.time, interval_of_time(base)), format_cycles(base.cycles), limiter,
                     base.range ? fmt::format("{}\n", kRangesGoTogether) : "");
}

/// The options or what is needed, then what hides it.
std::string how(const Change& change) {
  std::string text = fmt::format("{}", fmt::join(change.options, " "));
  if (!change.needs.empty()) text += text.empty() ? "needs " + change.needs : fmt::format(", needs {}", change.needs);
  return change.remark.empty() ? text : fmt::format("{}: {}", text, change.remark);
}

std::string changes(const WhatIf& what_if) {
  if (what_if.changes.empty()) return {};
  const bool ranges = has_ranges(what_if);
  std::vector<TextTable::Column> columns{{"Changes", Align::Left}, {"saved"}, {"cycles"}};
  if (ranges) columns.push_back({kInNineOfTen});
  columns.push_back({"how", Align::Left});
  TextTable table(std::move(columns));
  std::string not_tried;
  for (const Change& change : what_if.changes) {
    if (change.cycles) {
      // -0.0 % would be read as a loss.
      const double share = std::round(change.saved * 1000) / 1000 + 0.0;
      std::vector<std::string> cells{"  " + change.name, show_percent(share), format_cycles(*change.cycles)};
      if (ranges) cells.push_back(change.range ? show_range(change.range->time) : "");
      cells.push_back(how(change));
      table.add(std::move(cells));
    } else {
      not_tried += fmt::format("  {}: {}\n", change.name, change.why_not);
    }
  }
  return "\n" + table.text() + (not_tried.empty() ? "" : "\nNot tried:\n" + not_tried);
}

/// As three decimals show it.
bool is_zero(double elasticity) { return std::abs(elasticity) < 0.0005; }

bool is_none(const Elasticity& row) { return is_zero(row.central) && is_zero(row.below) && is_zero(row.above); }

std::string show(double elasticity) { return fmt::format("{:.3f}", is_zero(elasticity) ? 0.0 : elasticity); }

std::string elasticities(const std::string& caption, const std::vector<Elasticity>& rows, bool with_op) {
  TextTable table({{caption, Align::Left},
                   {"", Align::Left},
                   {"", Align::Left},
                   {"cycles"},
                   {"elasticity"},
                   {"shorter"},
                   {"longer"},
                   {"", Align::Left},
                   {"", Align::Left}});
  for (const Elasticity& row : rows) {
    if (is_none(row)) continue;
    table.add({"  " + row.name, with_op ? row.op : "", row.latency, fmt::format("{:.6g}", row.value.count),
               show(row.central), show(row.below), show(row.above), sides_disagree(row) ? "sides disagree" : "",
               row.text});
  }
  const auto none = std::ranges::count_if(rows, is_none);
  return fmt::format("\n{}{}", table.text(), none > 0 ? fmt::format("  {} more have none.\n", none) : "");
}

/// Said once, below the tables.
std::string warning(const WhatIf& what_if) {
  if (std::ranges::none_of(what_if.ops, sides_disagree) && std::ranges::none_of(what_if.instructions, sides_disagree))
    return {};
  return "\nWhere the sides disagree in sign, the order changes in which warps issue, an anomaly of greedy "
         "scheduling:\n"
         "rely on neither figure, try another step.\n";
}

std::string all_elasticities(const WhatIf& what_if) {
  if (what_if.ops.empty() && what_if.instructions.empty()) return {};
  std::string text = fmt::format(
      "\nElasticity: the percentage that the time grows by where a latency grows by one percent.\n"
      "Simulated again with each latency {:g} % shorter and longer, at least 0.001 cycles.\n",
      100 * what_if.step);
  if (!what_if.ops.empty()) text += elasticities("Ops", what_if.ops, false);
  if (!what_if.instructions.empty()) text += elasticities("Instructions", what_if.instructions, true);
  return text + warning(what_if);
}

void write_changes(JsonWriter& json, const WhatIf& what_if) {
  json.key("changes").begin_array();
  for (const Change& change : what_if.changes) {
    json.begin_object().member("name", change.name).key("options").begin_array();
    for (const std::string& word : change.options) json.value(word);
    json.end_array().member("needs", change.needs).member("cycles", change.cycles);
    json.member("saved", change.cycles ? std::optional(change.saved) : std::nullopt);
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
    json.member("cycles_more", row.cycles_more).member("elasticity", row.central);
    json.member("elasticity_shorter", row.below).member("elasticity_longer", row.above);
    json.member("sides_disagree", sides_disagree(row)).end_object();
  }
  json.end_array();
}

}  // namespace

std::string write_text(const WhatIf& what_if) { return head(what_if) + changes(what_if) + all_elasticities(what_if); }

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
