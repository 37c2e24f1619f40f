#include "warpipe/predict/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "warpipe/engine/simulate.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

Ticks narrow(WideTicks wide) {
  if (wide > INT64_MAX)
    throw ModelError(Diagnostic{"time",
                                fmt::format("a lower bound of the run time is longer than {} milli-cycles", INT64_MAX),
                                "", "use fewer groups, smaller trip counts or shorter latencies"});
  return Ticks{static_cast<std::int64_t>(wide)};
}

/// The time for which a step occupies some resource each time that it issues.
using Cost = std::function<Ticks(const InstructionStream&, const Step&)>;

/// The time that one warp takes of a resource.
WideTicks warp_time(const InstructionStream& stream, const Cost& cost) {
  WideTicks time = 0;
  for (std::size_t i = 0; i < stream.steps.size(); ++i)
    time += static_cast<WideTicks>(stream.runs[i]) * cost(stream, stream.steps[i]).count;
  return time;
}

std::vector<WideTicks> stream_times(const Program& program, const Cost& cost) {
  std::vector<WideTicks> times;
  for (const InstructionStream& stream : program.streams) times.push_back(warp_time(stream, cost));
  return times;
}

/// The time that all groups take of all instances together.
WideTicks sum_of_groups(const Program& program, const std::vector<WideTicks>& of_stream) {
  const std::vector<std::int64_t> warps = warps_of_streams(program);
  WideTicks total = 0;
  for (std::size_t i = 0; i < warps.size(); ++i) total += of_stream[i] * static_cast<WideTicks>(warps[i]);
  return total;
}

Cost pipeline_cost(std::size_t pipeline) {
  return [pipeline](const InstructionStream& stream, const Step& step) {
    Ticks cost = step.pipeline == pipeline ? step.issue : Ticks{};
    for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i)
      if (stream.stages[i].pipeline == pipeline) cost = checked_add(cost, stream.stages[i].issue);
    return cost;
  };
}

Ticks end_of(const Step& step) { return step.retires_at_issue ? step.issue : step.completion; }

/// The time for which a resource may still be occupied when the last instruction on it has ended.
Ticks overhang(const Program& program, const std::function<Ticks(const Step&)>& taken) {
  std::int64_t longest = 0;
  for (const InstructionStream& stream : program.streams)
    for (const Step& step : stream.steps) longest = std::max(longest, taken(step).count - end_of(step).count);
  return Ticks{longest};
}

/// The groups of the unit that gets most.
std::int64_t groups_of_busiest_unit(const Machine& machine) {
  return machine.groups / machine.units + (machine.groups % machine.units != 0 ? 1 : 0);
}

std::size_t schedulers_of(const Machine& machine) { return static_cast<std::size_t>(schedulers_per_unit(machine)); }

/// The time of a group on each scheduler's instance of a resource; on their mean where groups in different slots meet
/// schedulers in different order; on the one instance where the resource is no scheduler's.
std::vector<WideTicks> group_times(const GroupKind& kind, const std::vector<WideTicks>& of_stream,
                                   const Machine& machine, Scope scope) {
  const std::size_t schedulers = scope == Scope::Scheduler ? schedulers_of(machine) : 1;
  const bool in_any_order = kind.size() % schedulers != 0 && machine.group_slots > 1;
  std::vector<WideTicks> of_scheduler(in_any_order ? 1 : schedulers);
  for (std::size_t warp = 0; warp < kind.size(); ++warp)
    of_scheduler[warp % of_scheduler.size()] += of_stream[kind[warp]];
  if (in_any_order) of_scheduler.front() /= static_cast<WideTicks>(schedulers);
  return of_scheduler;
}

/// The time of an instance that one group takes among many: it decides how many warps keep the instance busy.
double mean_group_time(const GroupKind& kind, const std::vector<WideTicks>& of_stream, const Machine& machine,
                       Scope scope) {
  const std::size_t schedulers = scope == Scope::Scheduler ? schedulers_of(machine) : 1;
  if (kind.size() % schedulers == 0)
    return static_cast<double>(std::ranges::max(group_times(kind, of_stream, machine, scope)));
  WideTicks sum = 0;
  for (const std::uint32_t stream : kind) sum += of_stream[stream];
  return static_cast<double>(sum) / static_cast<double>(schedulers);
}

/// One warp on an idle machine: no other warp in its way, no queues behind its pipelines.
Ticks time_alone(const Program& program, const InstructionStream& stream, Skipping skipping) {
  Program alone{program.machine, {stream}, {{0}}, {}, {}, {}};
  alone.machine.units = alone.machine.group_slots = alone.machine.groups = 1;
  for (Step& step : alone.streams.front().steps) step.stages = {};
  assign_issue_ports(alone);
  return simulate(alone, skipping).cycles;
}

/// The time of the slowest warp of each kind of group, alone.
std::vector<Ticks> slowest_alone(const Program& program, Skipping skipping) {
  std::vector<Ticks> of_stream, of_kind;
  for (const InstructionStream& stream : program.streams) of_stream.push_back(time_alone(program, stream, skipping));
  for (const GroupKind& kind : program.kinds) {
    Ticks& slowest = of_kind.emplace_back();
    for (const std::uint32_t stream : kind) slowest = std::max(slowest, of_stream[stream]);
  }
  return of_kind;
}

class BoundFinder {
 public:
  BoundFinder(const Program& program, const Device& device, Skipping skipping)
      : program_(program),
        device_(device),
        skipping_(skipping),
        groups_(program.order.counts(program.kinds.size(), program.machine.groups)) {}

  Bounds find() {
    for (std::size_t i = 0; i < device_.pipelines.size(); ++i) {
      const auto taken = [i](const Step& step) { return step.pipeline == i ? step.issue : Ticks{}; };
      add("pipeline " + device_.pipelines[i].name, pipeline_cost(i), device_.pipelines[i].scope,
          overhang(program_, taken));
    }
    if (program_.machine.schedulers > 0) {
      const auto taken = [](const Step& step) { return step.scheduler_busy; };
      add(
          "schedulers", [taken](const InstructionStream&, const Step& step) { return taken(step); }, Scope::Scheduler,
          overhang(program_, taken));
    }
    add_latency();  // last: it simulates a warp, and the others have already found any overflow
    return std::move(found_);
  }

 private:
  void add(const std::string& name, const Cost& cost, Scope scope, Ticks overhang) {
    const std::vector<WideTicks> times = stream_times(program_, cost);
    if (std::ranges::all_of(times, [](WideTicks time) { return time == 0; })) return;  // not used
    const WideTicks taken = taken_of_busiest(times, scope) - overhang.count;
    found_.bounds.push_back({name, narrow(std::max<WideTicks>(taken, 0))});
    // All simulated units together keep a device pipeline busy.
    const double units = scope == Scope::Device ? static_cast<double>(program_.machine.units) : 1.0;
    double of_group = 0;
    for (std::size_t kind = 0; kind < groups_.size(); ++kind)
      of_group += share_of(kind) * mean_group_time(program_.kinds[kind], times, program_.machine, scope);
    const double groups_per_time = 1.0 / (of_group * units);
    found_.warps_needed.push_back({name, static_cast<double>(warps_per_group(program_)) * groups_per_time});
  }

  /// The share of the groups that are of a kind.
  double share_of(std::size_t kind) const {
    return static_cast<double>(groups_[kind]) / static_cast<double>(program_.machine.groups);
  }

  /// At least the time for which groups occupy the busiest instance.
  WideTicks taken_of_busiest(const std::vector<WideTicks>& of_stream, Scope scope) const {
    std::vector<WideTicks> taken;  // by instance of a unit
    for (std::size_t kind = 0; kind < groups_.size(); ++kind) {
      const std::vector<WideTicks> of_group = group_times(program_.kinds[kind], of_stream, program_.machine, scope);
      taken.resize(of_group.size());
      for (std::size_t i = 0; i < taken.size(); ++i) taken[i] += of_group[i] * static_cast<WideTicks>(groups_[kind]);
    }
    const WideTicks most = std::ranges::max(taken);
    return scope == Scope::Device ? most : of_busiest_unit(most);
  }

  /// Some unit has no fewer groups than its share; of groups that differ, no less work.
  WideTicks of_busiest_unit(WideTicks of_all_units) const {
    const Machine& machine = program_.machine;
    if (groups_.size() > 1) return (of_all_units + machine.units - 1) / machine.units;
    return of_all_units / machine.groups * groups_of_busiest_unit(machine);
  }

  void add_latency() {
    const std::vector<Ticks> alone = slowest_alone(program_, skipping_);
    found_.bounds.push_back({"latency", narrow(latency_bound(alone))});
    double mean = 0;
    for (std::size_t kind = 0; kind < groups_.size(); ++kind)
      mean += share_of(kind) * static_cast<double>(alone[kind].count);
    for (WarpsNeeded& needed : found_.warps_needed) needed.warps *= mean;
    found_.mean_group.count = mean / static_cast<double>(kTicksPerCycle);
  }

  /// Some slot of some unit takes its share of the groups, one after the other.
  WideTicks latency_bound(const std::vector<Ticks>& alone) const {
    const Machine& machine = program_.machine;
    const WideTicks launch = machine.group_launch_latency.count;
    if (groups_.size() == 1) {
      const std::int64_t of_unit = groups_of_busiest_unit(machine);
      const std::int64_t waves = of_unit / machine.group_slots + (of_unit % machine.group_slots != 0 ? 1 : 0);
      return static_cast<WideTicks>(waves) * alone.front().count + static_cast<WideTicks>(waves - 1) * launch;
    }
    WideTicks sum = 0;
    for (std::size_t kind = 0; kind < groups_.size(); ++kind)
      sum += static_cast<WideTicks>(groups_[kind]) * (alone[kind].count + launch);
    const WideTicks slots = static_cast<WideTicks>(machine.group_slots) * machine.units;
    return std::max<WideTicks>(std::ranges::max(alone).count, sum / slots - launch);
  }

  const Program& program_;
  const Device& device_;
  Skipping skipping_;
  std::vector<std::int64_t> groups_;  ///< by kind
  Bounds found_;
};

}  // namespace

std::int64_t instructions_issued(const Program& program) {
  std::vector<WideTicks> of_stream;
  for (const InstructionStream& stream : program.streams) {
    WideTicks& total = of_stream.emplace_back(0);
    for (const std::int64_t runs : stream.runs) total += runs;
  }
  return narrow(sum_of_groups(program, of_stream)).count;
}

Ticks busy(const Program& program, std::size_t pipeline) {
  return narrow(sum_of_groups(program, stream_times(program, pipeline_cost(pipeline))));
}

Bounds lower_bounds(const Program& program, const Device& device, Skipping skipping) {
  return BoundFinder(program, device, skipping).find();
}

}  // namespace warpipe
