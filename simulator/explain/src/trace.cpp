#include "warpipe/explain/trace.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpipe/engine/observe.hpp"
#include "warpipe/explain/explain.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

std::string range_text(const char* what, std::int64_t first, std::int64_t last, std::int64_t count) {
  if (first == 0 && last >= count - 1) return {};
  if (first == last) return fmt::format("{} {} of {}, ", what, first, count);
  return fmt::format("{}s {} to {} of {}, ", what, first, std::min(last, count - 1), count);
}

}  // namespace

void require_something(const LoweredLaunch& launch, const Window& window, Ticks cycles) {
  const Program& program = launch.program;
  if (window.from > cycles)
    throw ModelError(Diagnostic{"`window`",
                                fmt::format("the window begins at cycle {}, after the end of the run at {}",
                                            format_cycles(window.from), format_cycles(cycles)),
                                "", "give cycles of the run"});
  if (window.first_group >= program.machine.groups)
    throw ModelError(
        Diagnostic{"`window_groups`",
                   fmt::format("there is no group {}, only 0 to {}", window.first_group, program.machine.groups - 1),
                   "", "groups count from 0 in the order in which they are placed"});
  const auto warps = static_cast<std::int64_t>(warps_per_group(program));
  if (window.first_warp >= warps)
    throw ModelError(Diagnostic{
        "`window_warps`", fmt::format("there is no warp {} in a group, only 0 to {}", window.first_warp, warps - 1), "",
        "warps count from 0"});
}

const Step& step_of(const Trace& trace, const Execution& execution) {
  return stream_of(trace.launch.program, execution).steps[execution.step];
}

const Instruction& instruction_of(const Trace& trace, const Execution& execution) {
  const InstructionStream& stream = stream_of(trace.launch.program, execution);
  return trace.launch.kernel.instructions[stream.instructions[execution.step]];
}

std::string cause_of(const Trace& trace, const Execution& execution, Stall stall) {
  const Kernel& kernel = trace.launch.kernel;
  const Device& device = trace.launch.device;
  const Program& program = trace.launch.program;
  const InstructionStream& stream = stream_of(program, execution);
  const Step& step = stream.steps[execution.step];
  if (stall == Stall::Result) return kernel.instructions[stream.instructions[stream.producers[execution.last_wait]]].id;
  if (stall == Stall::Pipeline) return device.pipelines[step.pipeline].name;
  if (stall == Stall::Backlog)
    return device.pipelines[program.issue_ports[step.issue_port].backlogs[execution.backlog].pipeline].name;
  return {};
}

std::string wait_text(const Trace& trace, const Execution& execution, Stall stall) {
  const std::string cause = cause_of(trace, execution, stall);
  switch (stall) {
    case Stall::Result:
      return "waits for " + cause;
    case Stall::Pipeline:
      return "pipeline " + cause + " busy";
    case Stall::Backlog:
      return "queue of " + cause + " full";
    case Stall::Scheduler:
      return "scheduler busy";
    case Stall::Barrier:
      return "at the barrier";
    case Stall::Drain:
      return "drains";
    default:
      return to_string(stall);
  }
}

Span span_of(const Trace& trace) {
  const Recording& recording = trace.recording;
  Span span{trace.cycles, recording.window.from};
  for (const Execution& execution : recording.executions) {
    span.from = std::min(span.from, execution.since);
    span.to = std::max({span.to, execution.end, execution.drained});
  }
  for (const GroupResidency& group : recording.groups) {
    span.from = std::min(span.from, group.placed);
    span.to = std::max(span.to, group.ended.value_or(group.placed));
  }
  return {std::max(span.from, recording.window.from), std::min(span.to, recording.window.to)};
}

std::string shown_part(const Trace& trace) {
  const Span span = span_of(trace);
  return fmt::format("{}cycles {} to {} of {}", shown_ranges(trace), format_cycles(span.from), format_cycles(span.to),
                     format_cycles(trace.cycles));
}

std::string shown_ranges(const Trace& trace) {
  const Window& window = trace.recording.window;
  const Program& program = trace.launch.program;
  return range_text("group", window.first_group, window.last_group, program.machine.groups) +
         range_text("warp", window.first_warp, window.last_warp, static_cast<std::int64_t>(warps_per_group(program)));
}

}  // namespace warpipe
