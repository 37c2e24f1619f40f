#include "warpipe/predict/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

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

/// The time for which an execution of a step occupies some resource.
/// @param stages  on the way of the execution
using Cost = std::function<Ticks(const InstructionStream&, const Step&, Range stages)>;

/// The groups of a program with equal times on every resource: groups of one kind with rotations begun at the same
/// turn.
struct LikeGroups {
  std::uint32_t kind = 0;
  std::int64_t first_turn = 0;  ///< of the first warp; of each next warp 1 more
  std::int64_t groups = 0;
};

/// @return kind after kind, where no rotation tells groups apart
std::vector<LikeGroups> like_groups(const Program& program) {
  const auto warps = static_cast<std::int64_t>(warps_per_group(program));
  const std::int64_t period = longest_period(program);
  const std::int64_t ages = period / std::gcd(period, warps);
  const auto counts = program.order.counts_by_age(program.kinds.size(), program.machine.groups, ages);
  std::vector<LikeGroups> all;
  for (std::uint32_t kind = 0; kind < counts.size(); ++kind)
    for (std::int64_t age = 0; age < ages; ++age)
      if (const std::int64_t groups = counts[kind][static_cast<std::size_t>(age)]; groups > 0)
        all.push_back({kind, age * warps % period, groups});
  return all;
}

/// Adds the time of a resource taken by all executions of a step by one warp.
/// @param times  by the first turn of the warp's rotations
void add_step_time(const InstructionStream& stream, std::size_t index, const Cost& cost,
                   std::vector<WideTicks>& times) {
  const Step& step = stream.steps[index];
  const std::int64_t runs = stream.runs[index];
  if (!step.has_services) {
    const WideTicks time = static_cast<WideTicks>(runs) * cost(stream, step, step.stages).count;
    if (time > 0)
      for (WideTicks& of_turn : times) of_turn += time;
    return;
  }
  std::vector<WideTicks> costs;
  for (const Service& service : services_of(stream, step)) costs.push_back(cost(stream, step, service.stages).count);
  const Rotation& rotation = stream.rotations[step.stages.begin];
  const auto cost_in_turn = [&](std::int64_t turn) {
    return costs[rotation.service_of_turn[static_cast<std::size_t>(turn % rotation.period)]];
  };
  WideTicks time = 0;
  const auto executions = executions_by_service(rotation, 0, runs);
  for (std::size_t i = 0; i < costs.size(); ++i) time += static_cast<WideTicks>(executions[i]) * costs[i];
  // A warp begun a turn later has the turn behind the last in place of the first.
  for (std::size_t turn = 0; turn < times.size(); ++turn) {
    times[turn] += time;
    const auto first = static_cast<std::int64_t>(turn);
    time += cost_in_turn(first + runs % rotation.period) - cost_in_turn(first);
  }
}

/// The time of a resource taken by the warps of a program.
class WarpTimes {
 public:
  WarpTimes(const Program& program, const Cost& cost) : program_(program) {
    const auto period = static_cast<std::size_t>(longest_period(program));
    for (const InstructionStream& stream : program.streams) {
      std::vector<WideTicks>& of_stream = times_.emplace_back(period, WideTicks{0});
      for (std::size_t i = 0; i < stream.steps.size(); ++i) add_step_time(stream, i, cost, of_stream);
      is_same_in_turns_ =
          is_same_in_turns_ && std::ranges::adjacent_find(of_stream, std::ranges::not_equal_to{}) == of_stream.end();
    }
  }

  /// @param warp  of the group
  WideTicks of_warp(const LikeGroups& groups, std::size_t warp) const {
    const std::vector<WideTicks>& of_stream = times_[program_.kinds[groups.kind][warp]];
    return of_stream[(static_cast<std::size_t>(groups.first_turn) + warp) % of_stream.size()];
  }

  /// Whether groups of one kind are alike.
  bool is_same_in_turns() const { return is_same_in_turns_; }

 private:
  const Program& program_;
  std::vector<std::vector<WideTicks>> times_;  ///< by stream and first turn
  bool is_same_in_turns_ = true;
};

/// The time of all instances together taken by all groups.
WideTicks sum_of_groups(const Program& program, const Cost& cost) {
  const WarpTimes times(program, cost);
  WideTicks total = 0;
  for (const LikeGroups& groups : like_groups(program))
    for (std::size_t warp = 0; warp < warps_per_group(program); ++warp)
      total += times.of_warp(groups, warp) * static_cast<WideTicks>(groups.groups);
  return total;
}

Cost pipeline_cost(std::size_t pipeline) {
  return [pipeline](const InstructionStream& stream, const Step& step, Range stages) {
    Ticks cost = step.pipeline == pipeline ? step.issue : Ticks{};
    for (std::uint32_t i = stages.begin; i < stages.end; ++i)
      if (stream.stages[i].pipeline == pipeline) cost = checked_add(cost, stream.stages[i].issue);
    return cost;
  };
}

/// From the issue of a step to its end, at least.
Ticks end_of(const InstructionStream& stream, const Step& step) {
  return step.retires_at_issue ? step.issue : shortest_completion(stream, step);
}

/// The time for which a resource may still be occupied when the last instruction on it has ended.
Ticks overhang(const Program& program, const std::function<Ticks(const Step&)>& taken) {
  std::int64_t longest = 0;
  for (const InstructionStream& stream : program.streams)
    for (const Step& step : stream.steps) longest = std::max(longest, taken(step).count - end_of(stream, step).count);
  return Ticks{longest};
}

/// The groups of the busiest unit.
std::int64_t groups_of_busiest_unit(const Machine& machine) {
  return machine.groups / machine.units + (machine.groups % machine.units != 0 ? 1 : 0);
}

std::size_t schedulers_of(const Machine& machine) { return static_cast<std::size_t>(schedulers_per_unit(machine)); }

/// The time of a group on each scheduler's instance of a resource; on their mean where groups in different slots meet
/// schedulers in different order; on the single instance where the resource is no scheduler's.
std::vector<WideTicks> group_times(const Program& program, const LikeGroups& groups, const WarpTimes& times,
                                   Scope scope) {
  const Machine& machine = program.machine;
  const std::size_t warps = warps_per_group(program);
  const std::size_t schedulers = scope == Scope::Scheduler ? schedulers_of(machine) : 1;
  const bool in_any_order = warps % schedulers != 0 && machine.group_slots > 1;
  std::vector<WideTicks> of_scheduler(in_any_order ? 1 : schedulers);
  for (std::size_t warp = 0; warp < warps; ++warp)
    of_scheduler[warp % of_scheduler.size()] += times.of_warp(groups, warp);
  if (in_any_order) of_scheduler.front() /= static_cast<WideTicks>(schedulers);
  return of_scheduler;
}

/// The time of an instance taken by a group among many: it decides how many warps keep the instance busy.
double mean_group_time(const Program& program, const LikeGroups& groups, const WarpTimes& times, Scope scope) {
  const std::size_t warps = warps_per_group(program);
  const std::size_t schedulers = scope == Scope::Scheduler ? schedulers_of(program.machine) : 1;
  if (warps % schedulers == 0) return static_cast<double>(std::ranges::max(group_times(program, groups, times, scope)));
  WideTicks sum = 0;
  for (std::size_t warp = 0; warp < warps; ++warp) sum += times.of_warp(groups, warp);
  return static_cast<double>(sum) / static_cast<double>(schedulers);
}

/// The stream of a warp with rotations begun at a turn, rewritten for rotations begun at turn 0, and without the
/// pipelines behind its own. Turns never reached by the warp are all alike.
InstructionStream alone(InstructionStream stream, std::int64_t first_turn) {
  for (Step& step : stream.steps)
    if (!step.has_services) step.stages = {};
  for (Service& service : stream.services) service.stages = {};
  for (Rotation& rotation : stream.rotations)
    std::rotate(rotation.service_of_turn.begin(),
                rotation.service_of_turn.begin() + first_turn % std::int64_t{rotation.period},
                rotation.service_of_turn.end());
  for (std::size_t i = 0; i < stream.steps.size(); ++i) {
    if (!stream.steps[i].has_services) continue;
    auto& services = stream.rotations[stream.steps[i].stages.begin].service_of_turn;
    if (stream.runs[i] < kMostTurns) std::fill(services.begin() + stream.runs[i], services.end(), std::uint8_t{0});
  }
  return stream;
}

/// The times of warps on an idle machine: no other warp in their way, no queues behind their pipelines.
class TimesAlone {
 public:
  TimesAlone(const Program& program, Skipping skipping) : program_(program), skipping_(skipping) {
    for (const InstructionStream& stream : program.streams)
      times_.emplace_back(static_cast<std::size_t>(longest_period(stream)));
  }

  /// Of the slowest warp of a group.
  Ticks slowest(const LikeGroups& groups) {
    Ticks slowest{};
    for (std::size_t warp = 0; warp < warps_per_group(program_); ++warp)
      slowest =
          std::max(slowest, of(program_.kinds[groups.kind][warp], groups.first_turn + static_cast<std::int64_t>(warp)));
    return slowest;
  }

 private:
  Ticks of(std::uint32_t stream, std::int64_t first_turn) {
    std::vector<std::optional<Ticks>>& of_stream = times_[stream];
    std::optional<Ticks>& time = of_stream[static_cast<std::size_t>(first_turn) % of_stream.size()];
    if (!time) time = of_stream_alone(stream, alone(program_.streams[stream], first_turn));
    return *time;
  }

  /// Short loops do not tell all turns apart.
  Ticks of_stream_alone(std::uint32_t index, InstructionStream stream) {
    const auto [known, is_new] = times_of_turns_.try_emplace({index, services_in_turn(stream)});
    if (is_new) known->second = simulate_alone(std::move(stream));
    return known->second;
  }

  using ServicesInTurn = std::vector<decltype(Rotation::service_of_turn)>;

  static ServicesInTurn services_in_turn(const InstructionStream& stream) {
    ServicesInTurn services;
    for (const Rotation& rotation : stream.rotations) services.push_back(rotation.service_of_turn);
    return services;
  }

  Ticks simulate_alone(InstructionStream stream) const {
    Program program{machine_of_one_group(program_.machine), {std::move(stream)}, {{0}}, {}, {}, {}, {}};
    assign_issue_ports(program);
    return simulate(program, skipping_).cycles;
  }

  const Program& program_;
  Skipping skipping_;
  std::vector<std::vector<std::optional<Ticks>>> times_;  ///< by stream and first turn, as far as known
  std::map<std::pair<std::uint32_t, ServicesInTurn>, Ticks> times_of_turns_;  ///< by stream
};

/// The program with each access served by its slowest service: no warp alone ends earlier.
Program with_slowest_services(Program program) {
  for (InstructionStream& stream : program.streams) {
    for (Step& step : stream.steps) {
      if (!step.has_services) continue;
      for (const Service& service : services_of(stream, step))
        step.completion = std::max(step.completion, service.completion);
      step.stages = {};
      step.has_services = false;
    }
    stream.rotations.clear();
  }
  return program;
}

class BoundFinder {
 public:
  BoundFinder(const Program& program, const Device& device, Skipping skipping)
      : program_(program), device_(device), skipping_(skipping), groups_(like_groups(program)) {}

  Bounds find() {
    add_resources();
    add_latency();
    return std::move(found_);
  }

  Bound find_highest() {
    add_resources();
    if (found_.bounds.empty() || most_latency() > highest(found_.bounds).cycles) add_latency();
    return highest(found_.bounds);
  }

 private:
  void add_resources() {
    for (std::size_t i = 0; i < device_.pipelines.size(); ++i) {
      const auto taken = [i](const Step& step) { return step.pipeline == i ? step.issue : Ticks{}; };
      add("pipeline " + device_.pipelines[i].name, pipeline_cost(i), device_.pipelines[i].scope,
          overhang(program_, taken));
    }
    if (program_.machine.schedulers > 0) {
      const auto taken = [](const Step& step) { return step.scheduler_busy; };
      add(
          "schedulers", [taken](const InstructionStream&, const Step& step, Range) { return taken(step); },
          Scope::Scheduler, overhang(program_, taken));
    }
    add_dispatch();
  }

  void add(const std::string& name, const Cost& cost, Scope scope, Ticks overhang) {
    const WarpTimes times(program_, cost);
    if (!is_used(times)) return;
    const WideTicks taken = taken_of_busiest(times, scope) - overhang.count;
    add_bound(name, std::max<WideTicks>(taken, 0));
    // All simulated units together keep a device pipeline busy.
    const double units = scope == Scope::Device ? static_cast<double>(program_.machine.units) : 1.0;
    double of_group = 0;
    for (const LikeGroups& groups : groups_)
      of_group += share_of(groups) * mean_group_time(program_, groups, times, scope);
    const double groups_per_time = 1.0 / (of_group * units);
    found_.warps_needed.push_back({name, static_cast<double>(warps_per_group(program_)) * groups_per_time});
  }

  /// @param from_begin  of the launch
  void add_bound(const std::string& name, WideTicks from_begin) {
    found_.bounds.push_back({name, narrow(program_.machine.launch_begin.count + from_begin)});
  }

  bool is_used(const WarpTimes& times) const {
    return std::ranges::any_of(groups_, [&](const LikeGroups& groups) {
      for (std::size_t warp = 0; warp < warps_per_group(program_); ++warp)
        if (times.of_warp(groups, warp) != 0) return true;
      return false;
    });
  }

  /// The share of all groups.
  double share_of(const LikeGroups& groups) const {
    return static_cast<double>(groups.groups) / static_cast<double>(program_.machine.groups);
  }

  /// At least the time for which groups occupy the busiest instance.
  WideTicks taken_of_busiest(const WarpTimes& times, Scope scope) const {
    std::vector<WideTicks> taken;  // by instance of a unit
    for (const LikeGroups& groups : groups_) {
      const std::vector<WideTicks> of_group = group_times(program_, groups, times, scope);
      taken.resize(of_group.size());
      for (std::size_t i = 0; i < taken.size(); ++i) taken[i] += of_group[i] * static_cast<WideTicks>(groups.groups);
    }
    const WideTicks most = std::ranges::max(taken);
    const bool alike = program_.kinds.size() == 1 && times.is_same_in_turns();
    return scope == Scope::Device ? most : of_busiest_unit(most, alike);
  }

  /// Some unit has no fewer groups than its share; of unequal groups, no less work.
  WideTicks of_busiest_unit(WideTicks of_all_units, bool alike) const {
    const Machine& machine = program_.machine;
    if (!alike) return (of_all_units + machine.units - 1) / machine.units;
    return of_all_units / machine.groups * groups_of_busiest_unit(machine);
  }

  /// All groups but the first are placed one interval after another.
  void add_dispatch() {
    const Machine& machine = program_.machine;
    const auto interval = static_cast<WideTicks>(machine.group_dispatch_interval.count);
    if (interval > 0) add_bound("group dispatch", (machine.groups - 1) * interval);
  }

  /// Simulates a warp after the bounds before have found any overflow.
  void add_latency() {
    const std::vector<Ticks> alone = slowest_alone();
    add_bound("latency", latency_bound(alone) + program_.machine.launch_end.count);
    double mean = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i) mean += share_of(groups_[i]) * static_cast<double>(alone[i].count);
    for (WarpsNeeded& needed : found_.warps_needed) needed.warps *= mean;
    found_.mean_group.count = mean / static_cast<double>(kTicksPerCycle);
  }

  /// The slowest warp alone, by groups_.
  std::vector<Ticks> slowest_alone() const {
    TimesAlone times(program_, skipping_);
    std::vector<Ticks> alone;
    for (const LikeGroups& groups : groups_) alone.push_back(times.slowest(groups));
    return alone;
  }

  /// No less than the bound of the latency, from one turn for all.
  Ticks most_latency() const {
    const Program slowest = with_slowest_services(program_);
    BoundFinder finder(slowest, device_, skipping_);
    finder.add_latency();
    return finder.found_.bounds.front().cycles;
  }

  /// Some slot of some unit takes its share of the groups, one after the other.
  /// @param alone  the slowest warp, by groups_
  WideTicks latency_bound(const std::vector<Ticks>& alone) const {
    const bool is_one_kind = groups_.front().kind == groups_.back().kind;
    const WideTicks in_waves = is_one_kind ? waves_of(std::ranges::min(alone)) : 0;
    if (groups_.size() == 1) return in_waves;
    const Machine& machine = program_.machine;
    const WideTicks launch = machine.group_launch_latency.count;
    WideTicks sum = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i)
      sum += static_cast<WideTicks>(groups_[i].groups) * (alone[i].count + launch);
    const WideTicks slots = static_cast<WideTicks>(machine.group_slots) * machine.units;
    return std::max({in_waves, static_cast<WideTicks>(std::ranges::max(alone).count), sum / slots - launch});
  }

  /// The time of the waves of groups on the busiest unit.
  WideTicks waves_of(Ticks group) const {
    const Machine& machine = program_.machine;
    const std::int64_t of_unit = groups_of_busiest_unit(machine);
    const std::int64_t waves = of_unit / machine.group_slots + (of_unit % machine.group_slots != 0 ? 1 : 0);
    return static_cast<WideTicks>(waves) * group.count +
           static_cast<WideTicks>(waves - 1) * machine.group_launch_latency.count;
  }

  const Program& program_;
  const Device& device_;
  Skipping skipping_;
  std::vector<LikeGroups> groups_;
  Bounds found_;
};

}  // namespace

std::int64_t instructions_issued(const Program& program) {
  return narrow(sum_of_groups(program, [](const InstructionStream&, const Step&, Range) { return Ticks{1}; })).count;
}

Ticks busy(const Program& program, std::size_t pipeline) {
  return narrow(sum_of_groups(program, pipeline_cost(pipeline)));
}

const Bound& highest(const std::vector<Bound>& bounds) { return *std::ranges::max_element(bounds, {}, &Bound::cycles); }

Bounds lower_bounds(const Program& program, const Device& device, Skipping skipping) {
  return BoundFinder(program, device, skipping).find();
}

Bound highest_bound(const Program& program, const Device& device, Skipping skipping) {
  return BoundFinder(program, device, skipping).find_highest();
}

}  // namespace warpipe
