#include "import_report.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace warpipe::ptx {
namespace {

/// "global.load" of "global.load.128".
std::string class_of(const std::string& op) {
  const auto dot = op.find('.');
  return dot == std::string::npos ? op : op.substr(0, op.find('.', dot + 1));
}

class Reporter {
 public:
  Reporter(const ImportStages& stages, const Tally& all) : stages_(stages), all_(all) {}

  ImportReport run() {
    totals();
    for (std::uint32_t i = 0; i < stages_.routine.instructions.size(); ++i) {
      count(i);
      access(i);
    }
    loops(stages_.flow.regions);
    dropped_sides();
    return std::move(report_);
  }

 private:
  const Instruction& at(std::uint32_t i) const { return stages_.routine.instructions[i]; }

  /// "saxpy.cu:9"; empty where it is not known.
  std::string source_of(std::uint32_t i) const {
    const auto& place = at(i).source;
    const auto file = stages_.routine.sources.find(place.file);
    if (file == stages_.routine.sources.end()) return "";
    return fmt::format("{}:{}", std::filesystem::path(file->second).filename().string(), place.line);
  }

  void totals() {
    const auto& execution = stages_.execution;
    report_.entry = stages_.routine.name;
    report_.instructions = stages_.routine.instructions.size();
    report_.calls = stages_.routine.calls;
    report_.slice = stages_.slice.size;
    report_.loops = stages_.flow.loops;
    report_.executed = execution.executed;
    report_.closed_passes = execution.closed_passes;
    report_.survey = execution.survey;
    report_.removed = stages_.lowered.removed;
    report_.moved_loads = stages_.schedule.moved;
    report_.skipped = stages_.lowered.skipped;
    for (const auto& kind : execution.kinds) report_.kinds.push_back({kind.group, kind.groups, kind.work});
  }

  void count(std::uint32_t i) {
    const auto& lowered = stages_.lowered.instructions[i];
    const auto block = stages_.flow.block_of[i];
    const bool branch = at(i).opcode() == "bra" && at(i).guard;
    const bool jump = at(i).opcode() == "bra" && !at(i).guard;
    // Branches count before they become predicates; jumps that always go are none.
    if (((!lowered.gone && !lowered.ops.empty()) || branch) && !jump && all_.runs[block] > 0)
      report_.executions[class_of(lowered.ops.back())] += all_.runs[block];
    if (lowered.gone || all_.runs[block] == 0) return;
    for (const auto& op : lowered.ops) report_.issued[op] += all_.runs[block];
  }

  void access(std::uint32_t i) {
    const auto reached = all_.accesses.find(i);
    const auto& ops = stages_.lowered.instructions[i].ops;
    if (reached == all_.accesses.end() || ops.empty()) return;
    report_.accesses.push_back({at(i).line, source_of(i), at(i).name, ops.back(), at(i).space(), reached->second});
  }

  void loops(const std::vector<Region>& regions) {
    for (const auto& region : regions) {
      const auto* loop = std::get_if<NaturalLoop>(&region.node);
      if (loop == nullptr) continue;
      const auto first = stages_.flow.blocks[loop->header].first;
      if (const auto found = all_.loops.find(loop->header); found != all_.loops.end())
        report_.passes.push_back(
            {loop->label, at(first).line, source_of(first), found->second.entries, found->second.passes});
      loops(loop->body);
    }
  }

  /// Blocks that could be reached, and are not; neighbours as one.
  void dropped_sides() {
    const auto& blocks = stages_.flow.blocks;
    bool goes_on = false;
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
      const bool dropped = i > 0 && blocks[i].dominator != kNoBlock && all_.runs[i] == 0;
      if (dropped && !goes_on) report_.dropped.push_back({at(blocks[i].first).line, source_of(blocks[i].first), 0});
      if (dropped) report_.dropped.back().instructions += blocks[i].last - blocks[i].first;
      goes_on = dropped;
    }
  }

  const ImportStages& stages_;
  const Tally& all_;
  ImportReport report_;
};

}  // namespace

ImportReport report_on(const ImportStages& stages, const Tally& all) { return Reporter(stages, all).run(); }

}  // namespace warpipe::ptx
