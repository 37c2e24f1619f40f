#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "warpipe/views/trace_view.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kKonataPiece = std::size_t{1} << 20;
constexpr std::string_view kNewLine = "\\n";  // of a label, as the viewer reads it

/// Labels end at a tab or a newline.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

const char* stage_of(Stall stall) {
  switch (stall) {
    case Stall::Interval:
      return "Iv";
    case Stall::Result:
      return "Op";
    case Stall::Pipeline:
      return "Pb";
    case Stall::Backlog:
      return "Qf";
    default:
      return "Sc";
  }
}

/// Something that happens to one execution. Of equal times those of one execution stay in order.
struct Event {
  enum class Kind { Begin, Start, End, Wake, Retire };
  std::int64_t cycle = 0;
  std::size_t execution = 0;
  Kind kind = Kind::Begin;
  const char* stage = "";
};

std::int64_t cycle_of(Ticks time) { return time.count / kTicksPerCycle; }

class KonataTrace {
 public:
  KonataTrace(const Trace& trace, const TakePiece& take) : trace_(trace), take_(take) {}

  void write() {
    const auto& executions = trace_.recording.executions;
    for (std::size_t i = 0; i < executions.size(); ++i) collect(i);
    std::ranges::stable_sort(events_, {}, &Event::cycle);
    numbers_.resize(executions.size());
    std::int64_t now = events_.empty() ? cycle_of(trace_.recording.window.from) : events_.front().cycle;
    text_ = fmt::format("Kanata\t0004\nC=\t{}\n", now);
    for (const Event& event : events_) {
      if (event.cycle > now) text_ += fmt::format("C\t{}\n", event.cycle - now);
      now = event.cycle;
      write_event(event);
      hand_over(kKonataPiece);
    }
    hand_over(0);
  }

 private:
  void hand_over(std::size_t least) {
    if (text_.size() < least) return;
    take_(text_);
    text_.clear();
  }

  void collect(std::size_t number) {
    const Execution& execution = trace_.recording.executions[number];
    const auto add = [&](Event::Kind kind, Ticks time, const char* stage = "") {
      events_.push_back({cycle_of(time), number, kind, stage});
    };
    const auto add_stage = [&](const char* stage, Ticks from, Ticks to) {
      add(Event::Kind::Start, from, stage);
      add(Event::Kind::End, to, stage);
    };
    const auto waits = waits_of(execution);
    add(Event::Kind::Begin, waits.empty() ? execution.issue : waits.front().from);
    for (const StallInterval& wait : waits) add_stage(stage_of(wait.stall), wait.from, wait.to);
    add(Event::Kind::Wake, execution.issue);
    add_stage(step_of(trace_, execution).barrier ? "Ba" : "X", execution.issue, execution.end);
    add(Event::Kind::Retire, execution.end);
  }

  void write_event(const Event& event) {
    std::int64_t& number = numbers_[event.execution];
    switch (event.kind) {
      case Event::Kind::Begin:
        number = begun_++;
        return write_begin(event.execution, number);
      case Event::Kind::Start:
        text_ += fmt::format("S\t{}\t0\t{}\n", number, event.stage);
        return;
      case Event::Kind::End:
        text_ += fmt::format("E\t{}\t0\t{}\n", number, event.stage);
        return;
      case Event::Kind::Wake:
        return write_wakes(event.execution, number);
      case Event::Kind::Retire:
        text_ += fmt::format("R\t{}\t{}\t0\n", number, retired_++);
        return;
    }
  }

  void write_begin(std::size_t index, std::int64_t number) {
    const Execution& execution = trace_.recording.executions[index];
    const Instruction& instruction = instruction_of(trace_, execution);
    const WarpSlot at = warp_slot_of(trace_.launch.program, execution.warp_slot);
    text_ += fmt::format("I\t{}\t{}\t{}\n", number, index, execution.warp_slot);
    text_ += fmt::format("L\t{}\t0\tgroup {} warp {} {}: {}\n", number, execution.group, at.warp,
                         one_line(instruction.id), one_line(instruction.op));
    std::string details = fmt::format("unit {} slot {}, issued at {}, ended at {}", at.unit, at.slot,
                                      format_cycles(execution.issue), format_cycles(execution.end));
    if (!instruction.text.empty()) details += std::string(kNewLine) + one_line(instruction.text);
    for (const StallInterval& wait : waits_of(execution))
      details += fmt::format("{}{} {}", kNewLine, wait_text(trace_, execution, wait.stall),
                             format_cycles(Ticks{wait.to.count - wait.from.count}));
    text_ += fmt::format("L\t{}\t1\t{}\n", number, one_line(details));
  }

  void write_wakes(std::size_t index, std::int64_t number) {
    const Execution& execution = trace_.recording.executions[index];
    const Step& step = step_of(trace_, execution);
    for (std::uint32_t i = 0; i < step.waits.end - step.waits.begin; ++i) {
      const std::size_t operand = trace_.recording.operands[execution.first_operand + i];
      if (operand != kNotRecorded) text_ += fmt::format("W\t{}\t{}\t0\n", number, numbers_[operand]);
    }
  }

  const Trace& trace_;
  const TakePiece& take_;
  std::string text_;
  std::vector<Event> events_;
  std::vector<std::int64_t> numbers_;  ///< in the file, by execution
  std::int64_t begun_ = 0, retired_ = 0;
};

}  // namespace

void write_konata_trace(const Trace& trace, const TakePiece& take) { KonataTrace(trace, take).write(); }

}  // namespace warpipe
