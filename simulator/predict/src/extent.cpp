#include "extent.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "lower_stream.hpp"

namespace warpipe {
namespace {

/// Takes each loop with its last step: the body goes from LoopEnd::first to the last step.
template <class Stream, class Take>
void for_each_loop(Stream& stream, const Take& take) {
  for (std::size_t last = 0; last < stream.steps.size(); ++last)
    for (std::uint32_t i = stream.steps[last].loop_ends.begin; i < stream.steps[last].loop_ends.end; ++i)
      take(stream.loop_ends[i], last);
}

/// Waves with the same number of each kind, else waves that differ.
constexpr std::int64_t kFewestAlike = 16;

Extent waves_of(const Program& program) {
  const Machine& machine = program.machine;
  std::int64_t groups = machine.group_slots * machine.units;
  std::int64_t cycle = 0;
  for (const GroupOrder::Run& run : program.order.runs()) cycle += run.groups;
  const std::int64_t times = cycle / std::gcd(groups, cycle);
  const bool are_mixed = times > 1 && machine.groups / groups / times < kFewestAlike;
  if (!are_mixed) groups *= times;
  return {.of = Extent::Of::Waves, .size = machine.groups / groups, .groups = groups, .are_mixed = are_mixed};
}

/// A loop run equally often by all warps, by its first instruction; none where two nested loops begin there.
struct CommonLoop {
  std::int64_t trips = 0;
  bool is_common = true;
  double instructions = 0;
};

std::map<std::uint32_t, CommonLoop> loops_of(const Program& program) {
  std::map<std::uint32_t, CommonLoop> loops;
  const std::vector<std::int64_t> warps = warps_of_streams(program);
  for (std::size_t s = 0; s < program.streams.size(); ++s) {
    const InstructionStream& stream = program.streams[s];
    std::set<std::uint32_t> begun;
    for_each_loop(stream, [&](const LoopEnd& end, std::size_t last) {
      CommonLoop& loop = loops.try_emplace(stream.instructions[end.first], CommonLoop{end.trips}).first->second;
      loop.is_common = loop.is_common && loop.trips == end.trips && begun.insert(end.first).second;
      for (std::size_t step = end.first; step <= last; ++step)
        loop.instructions += static_cast<double>(warps[s]) * static_cast<double>(stream.runs[step]);
    });
  }
  return loops;
}

Program with_units(Program program, std::int64_t units) {
  Machine& machine = program.machine;
  const FairShare share{machine.units, units};
  const auto is_shared = [&](std::uint32_t pipeline) { return machine.pipelines[pipeline].scope == Scope::Device; };
  for (InstructionStream& stream : program.streams) {
    for (Step& step : stream.steps)
      if (is_shared(step.pipeline)) step.issue = share.of(step.issue);
    for (Stage& stage : stream.stages) {
      if (!is_shared(stage.pipeline)) continue;
      stage.issue = share.of(stage.issue);
      stage.mixed = share.of(stage.mixed);
    }
  }
  machine.group_dispatch_interval = share.of(machine.group_dispatch_interval);
  const std::int64_t groups = machine.groups / machine.units, more = machine.groups % machine.units;
  machine.groups = groups * units + (more * units + machine.units - 1) / machine.units;
  machine.units = units;
  return program;
}

}  // namespace

std::vector<Extent> extents_of(const Program& program) {
  std::vector<Extent> extents;
  if (program.machine.units > 1 && program.kinds.size() == 1)
    extents.push_back({Extent::Of::Units, program.machine.units});
  extents.push_back(waves_of(program));
  if (!program.signals.empty()) return extents;
  for (const auto& [first, loop] : loops_of(program))
    if (loop.is_common)
      extents.push_back({.of = Extent::Of::Trips,
                         .size = loop.trips,
                         .instruction = first,
                         .instructions = static_cast<std::int64_t>(loop.instructions)});
  return extents;
}

Program shortened(Program program, const Extent& extent, std::int64_t size) {
  if (extent.of == Extent::Of::Units) return with_units(std::move(program), size);
  if (extent.of == Extent::Of::Waves) {
    program.machine.groups -= (extent.size - size) * extent.groups;
    return program;
  }
  for (InstructionStream& stream : program.streams)
    for_each_loop(stream, [&](LoopEnd& end, std::size_t last) {
      if (stream.instructions[end.first] != extent.instruction) return;
      for (std::size_t step = end.first; step <= last; ++step)
        stream.runs[step] = stream.runs[step] / extent.size * size;
      stream.trips[end.counter] = end.trips = size;
    });
  return program;
}

}  // namespace warpipe
