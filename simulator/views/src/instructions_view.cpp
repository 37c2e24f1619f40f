#include "warpipe/views/instructions_view.hpp"

#include <fmt/format.h>

#include "json_writer.hpp"
#include "numbers.hpp"
#include "stall_times.hpp"
#include "text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

Ticks time_in(const InstructionTimes& instruction, Stall stall) {
  return instruction.times[static_cast<std::size_t>(stall)];
}

std::string mean(Ticks time, std::int64_t executions) {
  return executions == 0 ? "" : fmt::format("{:.1f}", to_cycles(time).count / static_cast<double>(executions));
}

bool any_has_text(const Explanation& explanation) {
  for (const InstructionTimes& instruction : explanation.instructions)
    if (!instruction.text.empty()) return true;
  return false;
}

void write_waits(JsonWriter& json, const Explanation& explanation, const InstructionTimes& instruction) {
  json.key("waits_for").begin_array();
  for (const auto& [producer, time] : instruction.waits_for)
    json.begin_object().member("id", explanation.instructions[producer].id).member("cycles", time).end_object();
  json.end_array().key("waits_behind").begin_array();
  for (const auto& [pipeline, time] : instruction.waits_behind)
    json.begin_object().member("pipeline", explanation.pipelines[pipeline].name).member("cycles", time).end_object();
  json.end_array().member("waited_for_cycles", instruction.waited_for);
}

}  // namespace

std::string write_instructions_text(const Explanation& explanation) {
  TextTable table({{"Waiting instructions", Align::Left},
                   {"op", Align::Left},
                   {"runs"},
                   {"lambda"},
                   {"Lambda"},
                   {"source", Align::Left},
                   {"operands"},
                   {"pipeline"},
                   {"scheduler"},
                   {"share"},
                   {any_has_text(explanation) ? "text" : "", Align::Left}});
  for (const InstructionTimes& each : explanation.instructions) {
    const Ticks pipeline = checked_add(time_in(each, Stall::Pipeline), time_in(each, Stall::Backlog));
    table.add({"  " + each.id, each.op, fmt::format("{}", each.executions), format_cycles(each.issue),
               format_cycles(each.completion), each.source ? to_string(*each.source) : "none",
               mean(time_in(each, Stall::Result), each.executions), mean(pipeline, each.executions),
               mean(time_in(each, Stall::Scheduler), each.executions),
               show_percent(share(sum(each.times), explanation.total)), each.text});
  }
  return table.text();
}

std::string instructions_json(const Explanation& explanation) {
  JsonWriter json(JsonWriter::Layout::Indented, 1);
  json.begin_array();
  for (const InstructionTimes& each : explanation.instructions) {
    json.begin_object().member("id", each.id).member("op", each.op);
    if (!each.text.empty()) json.member("text", each.text);
    json.member("pipeline", each.pipeline).member("issue_cycles", each.issue);
    json.member("completion_cycles", each.completion);
    if (each.source) json.member("source", to_string(*each.source));
    json.member("executions", each.executions).key("times");
    write_times(json, each.times);
    write_waits(json, explanation, each);
    json.end_object();
  }
  return json.end_array().value_text();
}

}  // namespace warpipe
