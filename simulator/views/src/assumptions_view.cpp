#include "warpipe/views/assumptions_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

std::string place_of(const isa::Assumption& assumption) {
  if (assumption.line == 0) return "";
  return fmt::format("line {}{}{}", assumption.line, assumption.source.empty() ? "" : ", ", assumption.source);
}

double change_of(const AssumptionTimes::Other& other, Seconds time) {
  return other.time && time.count > 0 ? other.time->count / time.count - 1 : 0;
}

/// "8: -40.1 %", "8: the same".
std::string change_text(const AssumptionTimes::Other& other, Seconds time) {
  if (!other.time) return other.value + ": fails";
  if (!other.moves) return other.value + ": the same";
  return fmt::format("{}: {:+.1f} %", other.value, 100 * change_of(other, time));
}

std::string changes_text(const AssumptionTimes& one, Seconds time) {
  if (one.others.empty()) return one.assumption.others.empty() ? "no other value is tried" : "not examined";
  std::string text;
  for (const auto& other : one.others) text += (text.empty() ? "" : ", ") + change_text(other, time);
  return text;
}

}  // namespace

std::string write_text(const std::vector<AssumptionTimes>& assumptions, Seconds time,
                       const std::function<std::string(const std::string&)>& flags) {
  if (assumptions.empty()) return {};
  TextTable table({{"Assumed", Align::Left}, {"at", Align::Left}, {"as", Align::Left}, {"the time with", Align::Left}});
  for (const auto& one : assumptions) {
    const auto& assumption = one.assumption;
    const auto option = flags(isa::answer_text(assumption, assumption.value));
    table.add({"  " + (option.empty() ? assumption.value : option), place_of(assumption), assumption.why,
               changes_text(one, time)});
  }
  return table.text();
}

std::string assumptions_json(const std::vector<AssumptionTimes>& assumptions, Seconds time,
                             const std::function<std::string(const std::string&)>& flags) {
  JsonWriter json(JsonWriter::Layout::Indented, 1);
  json.begin_array();
  for (const auto& [assumption, others, most] : assumptions) {
    json.begin_object().member("kind", isa::to_string(assumption.kind)).member("name", assumption.name);
    json.member("value", assumption.value).member("why", assumption.why);
    if (assumption.line != 0) json.member("line", std::int64_t{assumption.line});
    if (!assumption.source.empty()) json.member("source", assumption.source);
    if (const auto option = flags(isa::answer_text(assumption, assumption.value)); !option.empty())
      json.member("option", option);
    json.key("others").begin_array();
    for (const auto& other : others) {
      json.begin_object().member("value", other.value);
      if (other.time) json.member("time_s", other.time->count).member("change", change_of(other, time));
      if (!other.error.empty()) json.member("error", other.error);
      json.end_object();
    }
    json.end_array().end_object();
  }
  return json.end_array().value_text();
}

std::string left_out_text(const isa::ImportReport& report) {
  if (report.left_out.empty()) return {};
  std::vector<std::pair<std::string, double>> all(report.left_out.begin(), report.left_out.end());
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string list;
  for (const auto& [name, executions] : all)
    list += fmt::format("{}{} {:.0f}", list.empty() ? "" : ", ", name, executions);
  return fmt::format("Left out: {:.2g} % of the instructions that the launch issues: {}.\n",
                     100 * isa::share_left_out(report), list);
}

std::string left_out_json(const isa::ImportReport& report) {
  JsonWriter json(JsonWriter::Layout::Indented, 1);
  json.begin_object().member("share", isa::share_left_out(report)).key("executions").begin_object();
  for (const auto& [name, executions] : report.left_out) json.member(name, executions);
  return json.end_object().end_object().value_text();
}

}  // namespace warpipe
