#include "alone.hpp"

#include <algorithm>

namespace warpipe {
namespace {

/// Removes the latencies of a step, and the latency overrides of the steps waiting for its result.
void silence(InstructionStream& stream, std::size_t index) {
  Step& step = stream.steps[index];
  if (step.score.depth > 0)
    for (Wait& wait : stream.waits)
      if (wait.producer.cell == step.score.cell) wait.adjust = {};
  step.issue = step.completion = step.scheduler_busy = {};
  step.stall = 0;
}

}  // namespace

Cycles path_of(const Program& program, const InstructionStream& stream, Skipping skipping, const Counts& counts) {
  Program alone{machine_of_one_group(program.machine), {stream}, {{0}}, {}, {}, {}, {}};
  InstructionStream& simulated = alone.streams.front();
  for (std::size_t i = 0; i < simulated.steps.size(); ++i) {
    simulated.steps[i].stages = {};
    if (counts && !counts(stream, i)) silence(simulated, i);
  }
  if (counts) alone.machine.warp_interval = {};
  assign_issue_ports(alone);
  return to_cycles(simulate(alone, skipping).cycles);
}

Cycles longest_path(const Program& program, Skipping skipping, const Counts& counts) {
  Cycles longest;
  for (const InstructionStream& stream : program.streams)
    longest = std::max(longest, path_of(program, stream, skipping, counts));
  return longest;
}

}  // namespace warpipe
