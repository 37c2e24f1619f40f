#include "kernel/report_on.hpp"

#include <algorithm>

namespace warpipe::isa {
namespace {

/// "global.load" of "global.load.128".
std::string class_of(const std::string& op) {
  const auto dot = op.find('.');
  return dot == std::string::npos ? op : op.substr(0, op.find('.', dot + 1));
}

/// The main op of an instruction: of a loop around an atomic not the branch.
const std::string& main_op(const Instruction& instruction) {
  const auto& ops = instruction.ops;
  return retries(instruction) ? *std::ranges::find(ops, kSharedAtomic) : ops.back();
}

class Reporter {
 public:
  Reporter(const ReportInput& stages, const Tally& all, ImportReport& report)
      : stages_(stages), all_(all), report_(report) {}

  void run() {
    totals();
    for (std::uint32_t i = 0; i < stages_.program.instructions.size(); ++i) {
      count(i);
      access(i);
    }
    for (const auto i : stages_.plan.skipped)
      if (const auto runs = all_.runs[stages_.flow.block_of[i]]; runs > 0) report_.left_out[at(i).name] += runs;
    loops(stages_.flow.regions);
    dropped_sides();
  }

 private:
  const Instruction& at(std::uint32_t i) const { return stages_.program.instructions[i]; }
  std::string source(std::uint32_t i) const { return source_of(stages_.program, i); }

  void totals() {
    const auto& survey = stages_.survey;
    report_.entry = stages_.program.name;
    report_.instructions = stages_.program.instructions.size();
    report_.slice = stages_.slice.size;
    report_.loops = stages_.flow.loops;
    report_.executed = survey.executed;
    report_.closed_iterations = survey.closed_iterations;
    report_.sampled_iterations = survey.sampled_iterations;
    report_.survey = survey.groups;
    for (const auto& kind : survey.kinds) report_.kinds.push_back({kind.group, kind.groups, kind.work});
  }

  void count(std::uint32_t i) {
    const auto& ops = at(i).ops;
    const bool issued = !stages_.plan.left_out[i];
    const bool jump = at(i).flow == Instruction::Flow::Jump;
    const auto runs = all_.runs[stages_.flow.block_of[i]];
    if (runs == 0 || ops.empty()) return;
    // Branches count before they become predicates; unconditional jumps do not.
    if (jump ? at(i).guard.has_value() : issued) report_.executions[class_of(main_op(at(i)))] += runs;
    if (!issued) return;
    for (const auto& op : ops) report_.issued[op] += runs * rounds(i);
  }

  /// How often a warp goes through an instruction's ops, on average.
  double rounds(std::uint32_t i) const {
    const auto reached = all_.accesses.find(i);
    if (!retries(at(i)) || reached == all_.accesses.end()) return 1;
    return reached->second.rounds.sum / reached->second.executions;
  }

  void access(std::uint32_t i) {
    const auto reached = all_.accesses.find(i);
    const auto& instruction = at(i);
    if (reached == all_.accesses.end() || instruction.ops.empty()) return;
    report_.accesses.push_back({i,
                                instruction.line,
                                source(i),
                                instruction.name,
                                main_op(instruction),
                                instruction.access->space,
                                reached->second,
                                {}});
    const auto& meeting = stages_.survey.meeting_lanes;
    if (const auto met = meeting.find(i); met != meeting.end())
      report_.accesses.back().turns_at_one_place = met->second;
  }

  void loops(const std::vector<Region>& regions) {
    for (const auto& region : regions) {
      const auto* loop = std::get_if<NaturalLoop>(&region.node);
      if (loop == nullptr) continue;
      const auto first = stages_.flow.blocks[loop->header].first;
      if (const auto found = all_.loops.find(loop->header); found != all_.loops.end())
        report_.entered_loops.push_back(
            {loop->label, at(first).line, source(first), found->second.entries, found->second.iterations});
      loops(loop->body);
    }
  }

  /// Blocks that could be reached, and are not; neighbours are merged.
  void dropped_sides() {
    const auto& blocks = stages_.flow.blocks;
    bool goes_on = false;
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
      const bool dropped = i > 0 && blocks[i].dominator != kNoBlock && all_.runs[i] == 0;
      if (dropped && !goes_on) report_.dropped.push_back({at(blocks[i].first).line, source(blocks[i].first), 0});
      if (dropped) report_.dropped.back().instructions += blocks[i].last - blocks[i].first;
      goes_on = dropped;
    }
  }

  const ReportInput& stages_;
  const Tally& all_;
  ImportReport& report_;
};

}  // namespace

std::string_view to_string(AddressReport::Kind kind) {
  switch (kind) {
    case AddressReport::Kind::Formula:
      return "formula";
    case AddressReport::Kind::Fitted:
      return "fitted";
    case AddressReport::Kind::Sampled:
      return "sampled";
    case AddressReport::Kind::NotFound:
      return "not found";
    default:
      return "none";
  }
}

double share_left_out(const ImportReport& report) {
  double left_out = 0, issued = 0;
  for (const auto& [name, executions] : report.left_out) left_out += executions;
  for (const auto& [op, executions] : report.issued) issued += executions;
  return left_out > 0 ? left_out / (left_out + issued) : 0;
}

void report_on(const ReportInput& stages, const Tally& all, ImportReport& report) {
  Reporter(stages, all, report).run();
}

}  // namespace warpipe::isa
