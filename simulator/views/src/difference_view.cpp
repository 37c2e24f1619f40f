#include "warpipe/views/difference_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "warpipe/explain/result_json.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

constexpr std::size_t kMostRows = 12;  // shown of a table; JSON has all

std::string signed_time(double seconds) {
  if (seconds == 0) return show_time({0});
  return (seconds < 0 ? "-" : "+") + show_time({std::abs(seconds)});
}

/// A change from rounding alone is none.
double without_noise(double change, const Difference& difference) {
  const double whole = std::max(difference.a.prediction.time.count, difference.b.prediction.time.count);
  return std::abs(change) < 1e-9 * whole ? 0 : change;
}

/// "+5.0 %"; empty where there is nothing to be a part of.
std::string signed_percent(double change, double whole) {
  return whole == 0 ? std::string() : show_signed_percent(change / whole);
}

/// Empty where there are no bounds.
std::string limiter_of(const Prediction& run) { return run.bounds.empty() ? std::string() : limiter_name(run); }

std::string run_line(const char* name, const Prediction& run) {
  const std::string limiter = limiter_of(run);
  const std::string time = show_time(run.time, interval_of_time(run));
  return fmt::format("{}  {}: {}, {} cycles{}\n", name, kernel_on_device(run.kernel, run.device), time,
                     format_cycles(run.cycles), limiter.empty() ? "" : ", limited by " + limiter);
}

std::string verdict(const Difference& difference) {
  const double change = difference.b.prediction.time.count - difference.a.prediction.time.count;
  if (change == 0) return "B takes as long as A.\n";
  const std::string how = fmt::format("B takes {} {}", show_time({std::abs(change)}), change < 0 ? "less" : "more");
  if (difference.a.prediction.time.count == 0) return how + ".\n";
  return fmt::format("{}, {:.1f} % of A.\n", how, 100 * std::abs(slowdown(difference)));
}

/// A remark on code in two forms.
std::string forms(const Difference& difference) {
  const auto& a = difference.a.prediction.form;
  const auto& b = difference.b.prediction.form;
  if (a == b || a.empty() || b.empty()) return {};
  return fmt::format("A is {}, B is {}: part of the change may come from the form of the code.\n", a, b);
}

/// How sure the change is, from both ranges.
std::string how_sure(const Difference& difference) {
  const Prediction& a = difference.a.prediction;
  const Prediction& b = difference.b.prediction;
  if (!a.range || !b.range || a.time == b.time) return {};
  if (a.device == b.device && limiter_of(a) == limiter_of(b))
    return "What is off in the numbers of the device is off for A and B alike: the change is surer than the times.\n";
  if (a.range->time.high < b.range->time.low || b.range->time.high < a.range->time.low) return {};
  return fmt::format(
      "The {} differ, so that each time may be off on its own; the ranges overlap: either may be shorter.\n",
      a.device == b.device ? "limits" : "devices");
}

/// The instruction as B calls it, and A's name where it differs.
std::string name_of(const Difference& difference, std::size_t match) {
  const InstructionMatch& each = difference.instructions[match];
  const std::string a = each.a ? difference.a.explanation.instructions[*each.a].id : "";
  const std::string b = each.b ? difference.b.explanation.instructions[*each.b].id : "";
  if (b.empty() || a.empty() || a == b) return b.empty() ? a : b;
  return fmt::format("{} ({})", b, a);
}

std::string name_of(const Difference& difference, const Contribution& part) {
  std::string what = to_string(part.stall);
  if (part.producer) what += " of " + name_of(difference, *part.producer);
  return part.match ? fmt::format("{}: {}", name_of(difference, *part.match), what) : what;
}

using Row = ChangedPart;

/// Rows are shown as long as they matter: a thousandth of the larger run; nothing where none does.
void add_ranked(std::vector<TextTable>& tables, const std::string& caption, const Difference& difference,
                const std::vector<Row>& rows) {
  const double whole = difference.a.prediction.time.count;
  const double least = std::max(whole, difference.b.prediction.time.count) / 1000;
  TextTable table({{caption, Align::Left}, {"A"}, {"B"}, {"change"}, {"of A's time"}});
  const auto add = [&](const Row& row) {
    const double change = without_noise(row.change(), difference);
    table.add(
        {"  " + row.name, show_time(row.a), show_time(row.b), signed_time(change), signed_percent(change, whole)});
  };
  std::size_t shown = 0;
  Row rest{"the rest", {}, {}};
  for (const Row& row : rows) {
    if (shown < kMostRows && std::abs(row.change()) >= least) {
      add(row);
      ++shown;
    } else {
      rest.a.count += row.a.count;
      rest.b.count += row.b.count;
    }
  }
  if (shown == 0) return;
  if (rest.a.count > 0 || rest.b.count > 0) add(rest);
  add({"all", difference.a.prediction.time, difference.b.prediction.time});
  tables.push_back(std::move(table));
}

/// The line of the source, and A's line where it differs; empty where it is not known.
std::string line_of(const Difference& difference, std::size_t match) {
  const InstructionMatch& each = difference.instructions[match];
  const auto a = each.a ? source_line(difference.a.explanation.instructions[*each.a].text) : std::string();
  const auto b = each.b ? source_line(difference.b.explanation.instructions[*each.b].text) : std::string();
  if (b.empty() || a.empty() || a == b) return b.empty() ? a : b;
  return fmt::format("{} ({})", b, a);
}

std::vector<Row> largest_first(std::vector<Row> rows) {
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const Row& row) { return std::abs(row.change()); });
  return rows;
}

/// The contributions by their `name`, without the unnamed; the largest change first.
template <class Name>
std::vector<Row> sums_by(const Difference& difference, Name name) {
  std::vector<Row> rows;
  for (const Contribution& part : difference.contributions) {
    const std::string called = name(part);
    if (called.empty()) continue;
    auto row = std::ranges::find(rows, called, &Row::name);
    if (row == rows.end()) row = rows.insert(row, {called, {}, {}});
    row->a.count += part.a.count;
    row->b.count += part.b.count;
  }
  return largest_first(std::move(rows));
}

std::vector<Row> stalls(const Difference& difference) {
  return sums_by(difference, [](const Contribution& part) { return to_string(part.stall); });
}

std::vector<Row> lines(const Difference& difference) {
  auto rows = sums_by(difference, [&](const Contribution& part) {
    return part.match ? line_of(difference, *part.match) : std::string();
  });
  if (rows.empty()) return rows;
  Row others{"no line", difference.a.prediction.time, difference.b.prediction.time};
  for (const Row& row : rows) {
    others.a.count -= row.a.count;
    others.b.count -= row.b.count;
  }
  rows.push_back(others);
  return largest_first(std::move(rows));
}

void add_contributions(std::vector<TextTable>& tables, const Difference& difference) {
  if (difference.contributions.empty()) return;
  std::vector<Row> parts;
  for (const Contribution& part : difference.contributions)
    parts.push_back({name_of(difference, part), part.a, part.b});
  add_ranked(tables, "Stalls", difference, stalls(difference));
  add_ranked(tables, "Source lines", difference, lines(difference));
  add_ranked(tables, "Accounts for it", difference, parts);
}

double change_of(const Difference& difference, std::size_t match) {
  double change = 0;
  for (const Contribution& part : difference.contributions)
    if (part.match == match) change += part.change();
  return change;
}

bool is_same(const InstructionTimes& a, const InstructionTimes& b) {
  return a.id == b.id && a.op == b.op && a.issue == b.issue && a.completion == b.completion &&
         a.executions == b.executions;
}

/// Instructions added or removed, with another number of runs or another time.
void add_instructions(std::vector<TextTable>& tables, const Difference& difference) {
  TextTable table({{"Instructions", Align::Left},
                   {"op", Align::Left},
                   {"runs A"},
                   {"runs B"},
                   {"lambda A"},
                   {"lambda B"},
                   {"Lambda A"},
                   {"Lambda B"},
                   {difference.contributions.empty() ? "" : "change"},
                   {"", Align::Left}});
  bool any = false;
  for (std::size_t i = 0; i < difference.instructions.size(); ++i) {
    const auto& [a, b] = difference.instructions[i];
    const InstructionTimes* in_a = a ? &difference.a.explanation.instructions[*a] : nullptr;
    const InstructionTimes* in_b = b ? &difference.b.explanation.instructions[*b] : nullptr;
    if (in_a != nullptr && in_b != nullptr && is_same(*in_a, *in_b)) continue;
    any = true;
    const auto cells = [](const InstructionTimes* side) -> std::array<std::string, 3> {
      if (side == nullptr) return {};
      return {fmt::format("{}", side->executions), format_cycles(side->issue), format_cycles(side->completion)};
    };
    const auto of_a = cells(in_a);
    const auto of_b = cells(in_b);
    const std::string op = in_a == nullptr                           ? in_b->op
                           : in_b == nullptr || in_a->op == in_b->op ? in_a->op
                                                                     : fmt::format("{} ({})", in_b->op, in_a->op);
    table.add({"  " + name_of(difference, i), op, of_a[0], of_b[0], of_a[1], of_b[1], of_a[2], of_b[2],
               difference.contributions.empty() ? "" : signed_time(without_noise(change_of(difference, i), difference)),
               in_a == nullptr   ? "added"
               : in_b == nullptr ? "removed"
                                 : ""});
  }
  if (any) tables.push_back(std::move(table));
}

/// Merges both lists, in the order of A, then of B; calls row(name, in A, in B), null where an entry is missing.
template <class Each, class Name, class Row>
void merge(const std::vector<Each>& a, const std::vector<Each>& b, Name name, Row row) {
  const auto find = [&](const std::vector<Each>& in, const Each& like) {
    const auto found = std::ranges::find(in, std::invoke(name, like), name);
    return found == in.end() ? nullptr : &*found;
  };
  for (const Each& each : a) row(std::invoke(name, each), &each, find(b, each));
  for (const Each& each : b)
    if (find(a, each) == nullptr) row(std::invoke(name, each), static_cast<const Each*>(nullptr), &each);
}

void add_bounds(std::vector<TextTable>& tables, const Difference& difference) {
  TextTable table({{"Bounds", Align::Left}, {"cycles A"}, {"cycles B"}, {"change"}});
  bool any = false;
  merge(difference.a.prediction.bounds, difference.b.prediction.bounds, &Bound::name,
        [&](const std::string& name, const Bound* a, const Bound* b) {
          if (a != nullptr && b != nullptr && a->cycles == b->cycles) return;
          any = true;
          const bool both = a != nullptr && b != nullptr;
          const double from = both ? to_cycles(a->cycles).count : 0;
          table.add({"  " + name, a != nullptr ? format_cycles(a->cycles) : "",
                     b != nullptr ? format_cycles(b->cycles) : "",
                     both ? signed_percent(to_cycles(b->cycles).count - from, from) : ""});
        });
  if (any) tables.push_back(std::move(table));
}

void add_pipelines(std::vector<TextTable>& tables, const Difference& difference) {
  TextTable table({{"Pipelines", Align::Left}, {"busy A"}, {"busy B"}});
  bool any = false;
  merge(difference.a.prediction.pipelines, difference.b.prediction.pipelines, &PipelineUse::name,
        [&](const std::string& name, const PipelineUse* a, const PipelineUse* b) {
          const std::string in_a = a != nullptr ? show_percent(a->utilization) : "";
          const std::string in_b = b != nullptr ? show_percent(b->utilization) : "";
          if (in_a == in_b) return;
          any = true;
          table.add({"  " + name, in_a, in_b});
        });
  if (any) tables.push_back(std::move(table));
}

using Value = std::pair<std::string, std::string>;

/// The launch by name: the parameters, then the values in the order of their settling.
std::vector<Value> launch_of(const Prediction& prediction) {
  const Launch& launch = prediction.launch;
  std::vector<Value> values;
  const auto add = [&](const char* name, std::int64_t value) { values.emplace_back(name, fmt::format("{}", value)); };
  for (const auto& [name, origin] : launch.parameter_origins)
    values.emplace_back(name, show_number(launch.values.at(name)));
  add("group size", launch.group_size.value);
  add("groups", launch.groups.value);
  add("concurrent groups", launch.concurrent_groups.value);
  add("groups per unit", launch.groups_per_unit);
  add("resident warps", launch.resident_warps);
  values.emplace_back("occupancy", launch.occupancy ? show_percent(*launch.occupancy) : "");
  add("warp instructions", prediction.instructions_issued);
  values.emplace_back("clock", fmt::format("{:g} GHz", prediction.clock.count / 1e9));
  values.emplace_back("code", prediction.form);
  values.emplace_back("policy", to_string(prediction.policy));
  values.emplace_back("units", to_string(prediction.units));
  return values;
}

void add_launch(std::vector<TextTable>& tables, const Difference& difference) {
  TextTable table({{"Launch", Align::Left}, {"A"}, {"B"}});
  bool any = false;
  merge(launch_of(difference.a.prediction), launch_of(difference.b.prediction), &Value::first,
        [&](const std::string& name, const Value* a, const Value* b) {
          const std::string in_a = a != nullptr ? a->second : "";
          const std::string in_b = b != nullptr ? b->second : "";
          if (in_a == in_b) return;
          any = true;
          table.add({"  " + name, in_a, in_b});
        });
  if (any) tables.push_back(std::move(table));
}

void write_run(JsonWriter& json, const char* name, const Prediction& run) {
  json.key(name).begin_object().member("kernel", run.kernel).member("device", run.device);
  json.member("cycles", run.cycles).member("time_s", run.time.count).member("clock_hz", run.clock.count);
  if (run.range) write_range(json, *run.range);
  json.member("limiter", limiter_of(run)).key("launch").begin_object();
  for (const auto& [key, value] : launch_of(run)) json.member(key, value);
  json.end_object().key("bounds").begin_object();
  for (const Bound& bound : run.bounds) json.member(bound.name, bound.cycles);
  json.end_object().key("utilization").begin_object();
  for (const PipelineUse& use : run.pipelines) json.member(use.name, use.utilization);
  json.end_object().end_object();
}

void write_side(JsonWriter& json, const char* name, const Outcome& run, const std::optional<std::size_t>& index) {
  if (!index) {
    json.key(name).null();
    return;
  }
  const InstructionTimes& each = run.explanation.instructions[*index];
  json.key(name).begin_object().member("id", each.id).member("op", each.op).member("executions", each.executions);
  json.member("issue_cycles", each.issue).member("completion_cycles", each.completion).end_object();
}

void write_part(JsonWriter& json, const Difference& difference, const Contribution& part) {
  json.begin_object();
  json.member("instruction", part.match ? std::optional(name_of(difference, *part.match)) : std::nullopt);
  json.member("stall", to_string(part.stall));
  json.member("producer", part.producer ? std::optional(name_of(difference, *part.producer)) : std::nullopt);
  json.member("a_s", part.a.count).member("b_s", part.b.count).member("change_s", part.change()).end_object();
}

}  // namespace

std::string show_change(const Difference& difference) {
  return run_line("A", difference.a.prediction) + run_line("B", difference.b.prediction) + verdict(difference) +
         forms(difference) + how_sure(difference);
}

std::vector<TextTable> tables_of(const Difference& difference) {
  std::vector<TextTable> tables;
  add_contributions(tables, difference);
  add_instructions(tables, difference);
  add_bounds(tables, difference);
  add_pipelines(tables, difference);
  add_launch(tables, difference);
  return tables;
}

std::vector<ChangedPart> changes_by_stall(const Difference& difference) { return stalls(difference); }
std::vector<ChangedPart> changes_by_line(const Difference& difference) { return lines(difference); }

std::string show_missing(const Difference& difference) {
  const bool in_a = has_stalls(difference.a);
  const bool in_b = has_stalls(difference.b);
  if (in_a && in_b) return {};
  return fmt::format(
      "{} saved without stalls, so it is not known what accounts for the change: save the views stalls and "
      "instructions too.\n",
      in_a   ? "B was"
      : in_b ? "A was"
             : "Both were");
}

std::string write_text(const Difference& difference) {
  auto text = show_change(difference);
  for (const auto& table : tables_of(difference)) text += "\n" + table.text();
  const auto missing = show_missing(difference);
  return missing.empty() ? text : text + "\n" + missing;
}

std::string write_json(const Difference& difference) {
  JsonWriter json;
  json.begin_object().member("format", "warpipe-diff").member("version", std::int64_t{1});
  write_run(json, "a", difference.a.prediction);
  write_run(json, "b", difference.b.prediction);
  json.member("change_s", difference.b.prediction.time.count - difference.a.prediction.time.count);
  json.member("slowdown", slowdown(difference)).key("contributions").begin_array();
  for (const Contribution& part : difference.contributions) write_part(json, difference, part);
  json.end_array().key("instructions").begin_array();
  for (const InstructionMatch& each : difference.instructions) {
    json.begin_object();
    write_side(json, "a", difference.a, each.a);
    write_side(json, "b", difference.b, each.b);
    json.end_object();
  }
  json.end_array().end_object();
  return json.text();
}

}  // namespace warpipe
