#include <fmt/format.h>

#include <utility>
#include <vector>

#include "chrome_tracks.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/views/trace_view.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

Ticks between(Ticks from, Ticks to) { return Ticks{to.count - from.count}; }

class ChromeTrace {
 public:
  ChromeTrace(const Trace& trace, const TakePiece& take) : trace_(trace), take_(take), tracks_(trace, text_) {
    for (const Instruction& instruction : trace.launch.kernel.instructions) {
      names_.push_back(json_text(instruction.id));
      const std::string text = instruction.text.empty() ? "" : ", \"text\": " + json_text(instruction.text);
      descriptions_.push_back(fmt::format("\"op\": {}{}", json_text(instruction.op), text));
    }
  }

  void write() {
    write_head();
    for (const GroupResidency& group : trace_.recording.groups) {
      write_group(group);
      hand_over(kPiece);
    }
    for (const Execution& execution : trace_.recording.executions) {
      write_execution(execution);
      hand_over(kPiece);
    }
    // The format allows no comma behind the last event; an event without a thread ends the list.
    text_ +=
        R"({"ph": "M", "pid": 1, "name": "process_labels", "args": {"labels": )" + json_text(labels()) + "}}\n]}\n";
    hand_over(0);
  }

 private:
  std::string labels() const { return trace_.launch.kernel.name + " on " + trace_.launch.device.name; }

  void hand_over(std::size_t least) {
    if (text_.size() < least) return;
    take_(text_);
    text_.clear();
  }

  void write_head() {
    const Device& device = trace_.launch.device;
    JsonWriter json(JsonWriter::Layout::OneLine);
    json.begin_object()
        .member("generator", "warpipe")
        .member("kernel", trace_.launch.kernel.name)
        .member("device", device.name);
    const Machine& machine = trace_.launch.program.machine;
    json.member("policy", to_string(machine.policy)).member("simulated_units", machine.units);
    json.member("time", "1 us of the trace is 1 cycle").member("clock_hz", device.clock.count);
    json.member("shown", shown_part(trace_)).end_object();
    text_ = fmt::format("{{\"displayTimeUnit\": \"ns\", \"otherData\": {}, \"traceEvents\": [\n",
                        json.text().substr(0, json.text().size() - 1));
  }

  /// A complete event; `arguments` are members of its args.
  void write_complete(const std::string& track, Ticks from, Ticks to, const std::string& name, const char* category,
                      const std::string& arguments = {}) {
    text_ += fmt::format(
        "{{\"ph\": \"X\", {}, \"ts\": {}, \"dur\": {}, \"name\": {}, \"cat\": \"{}\", \"args\": {{{}}}}},\n", track,
        format_cycles(from), format_cycles(between(from, to)), name, category, arguments);
  }

  void write_group(const GroupResidency& group) {
    const std::string track =
        tracks_.of_slot(static_cast<std::size_t>(group.unit), static_cast<std::size_t>(group.slot));
    const Ticks end = group.ended.value_or(std::max(group.placed, span_of_.to));
    write_complete(track, group.placed, end, fmt::format("\"group {}\"", group.group), "group",
                   group.ended ? "" : "\"goes_on\": true");
  }

  void write_execution(const Execution& execution) {
    const Step& step = step_of(trace_, execution);
    const std::string track = tracks_.of_warp(execution.warp_slot);
    const std::string& name = names_[instruction_number(execution)];
    for (const StallInterval& wait : waits_of(execution)) write_wait(track, execution, wait, name);
    for (const StallInterval& stretch : intervals_from_issue(execution, step)) {
      if (stretch.stall == Stall::Issuing) {
        write_complete(track, stretch.from, stretch.to, name, "instruction", arguments_of(execution, step));
      } else {
        write_wait(track, execution, stretch, name);
      }
    }
    write_operands(track, execution, step);
    write_pipelines(execution, step, name);
  }

  std::uint32_t instruction_number(const Execution& execution) const {
    return stream_of(trace_.launch.program, execution).instructions[execution.step];
  }

  void write_wait(const std::string& track, const Execution& execution, const StallInterval& wait,
                  const std::string& id) {
    write_complete(track, wait.from, wait.to, json_text(wait_text(trace_, execution, wait.stall)), "wait",
                   "\"instruction\": " + id);
  }

  std::string arguments_of(const Execution& execution, const Step& step) const {
    std::string waits;
    for (const StallInterval& wait : waits_of(execution))
      waits += fmt::format("{}{}: {}", waits.empty() ? "" : ", ", json_text(wait_text(trace_, execution, wait.stall)),
                           format_cycles(between(wait.from, wait.to)));
    return fmt::format(
        "{}, \"group\": {}, \"lambda\": {}, \"Lambda\": {}, \"came\": {}, \"ended\": {}, \"waited\": {{{}}}",
        descriptions_[instruction_number(execution)], execution.group, format_cycles(step.issue),
        format_cycles(step.completion), format_cycles(execution.since), format_cycles(execution.end), waits);
  }

  void write_operands(const std::string& track, const Execution& execution, const Step& step) {
    for (std::uint32_t i = 0; i < step.waits.end - step.waits.begin; ++i) {
      const std::size_t operand = trace_.recording.operands[execution.first_operand + i];
      if (operand == kNotRecorded) continue;
      ++arrows_;
      const Execution& producer = trace_.recording.executions[operand];
      const auto arrow = [&](const char* phase, Ticks time) {
        text_ += fmt::format(
            "{{\"ph\": {}, {}, \"ts\": {}, \"id\": {}, \"name\": \"dependence\", \"cat\": \"dependence\"}},\n", phase,
            track, format_cycles(time), arrows_);
      };
      arrow("\"s\"", producer.issue);
      arrow("\"f\", \"bp\": \"e\"", execution.issue);
    }
  }

  void write_pipelines(const Execution& execution, const Step& step, const std::string& name) {
    const WarpSlot at = warp_slot_of(trace_.launch.program, execution.warp_slot);
    const std::string who = fmt::format("\"group\": {}, \"slot\": {}, \"warp\": {}", execution.group, at.slot, at.warp);
    const auto occupy = [&](std::size_t pipeline, Ticks from, Ticks to) {
      if (to > from)
        write_complete(tracks_.of_pipeline(pipeline, execution.warp_slot), from, to, name, "pipeline", who);
    };
    occupy(step.pipeline, execution.issue, checked_add(execution.issue, step.issue));
    const InstructionStream& stream = stream_of(trace_.launch.program, execution);
    const Range stages = stages_of(stream, execution);
    for (std::uint32_t i = stages.begin; i < stages.end; ++i) {
      const StageTimes& times = trace_.recording.stage_times[execution.first_stage_times + i - stages.begin];
      occupy(stream.stages[i].pipeline, times.start, times.free);
    }
  }

  const Trace& trace_;
  const TakePiece& take_;
  const Span span_of_ = span_of(trace_);
  std::string text_;
  ChromeTracks tracks_;
  std::vector<std::string> names_, descriptions_;  ///< by instruction, as JSON
  std::int64_t arrows_ = 0;
};

}  // namespace

void write_chrome_trace(const Trace& trace, const TakePiece& take) { ChromeTrace(trace, take).write(); }

}  // namespace warpipe
