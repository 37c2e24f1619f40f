#include "warpipe/views/instructions_view.hpp"

#include <fmt/format.h>

#include "warpipe/views/numbers.hpp"
#include "warpipe/views/text_table.hpp"

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

}  // namespace warpipe
