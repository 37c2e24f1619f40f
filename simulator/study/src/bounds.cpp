#include "warpipe/study/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "warpipe/engine/run.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

Ticks narrow(WideTicks wide) {
  if (wide > INT64_MAX)
    throw ModelError(Diagnostic{"time", fmt::format("a time is at most {} milli-cycles", INT64_MAX),
                                "found a lower bound of the run time above that",
                                "use fewer groups, smaller trip counts or shorter latencies"});
  return Ticks{static_cast<std::int64_t>(wide)};
}

/// What a step takes of some resource each time that it issues.
using Cost = std::function<Ticks(const Stream&, const Step&)>;

/// The time that one warp takes of a resource.
WideTicks warp_time(const Stream& stream, const Cost& cost) {
  WideTicks time = 0;
  for (std::size_t i = 0; i < stream.steps.size(); ++i)
    time += static_cast<WideTicks>(stream.runs[i]) * cost(stream, stream.steps[i]).count;
  return time;
}

std::vector<WideTicks> warp_times(const Program& program, const Cost& cost) {
  std::vector<WideTicks> of_stream, of_warp;
  for (const Stream& stream : program.streams) of_stream.push_back(warp_time(stream, cost));
  for (const std::uint32_t stream : program.stream_of_warp) of_warp.push_back(of_stream[stream]);
  return of_warp;
}

WideTicks sum(const std::vector<WideTicks>& times) {
  WideTicks total = 0;
  for (const WideTicks time : times) total += time;
  return total;
}

Cost pipeline_cost(std::size_t pipeline) {
  return [pipeline](const Stream& stream, const Step& step) {
    Ticks cost = step.pipeline == pipeline ? step.issue : Ticks{};
    for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i)
      if (stream.stages[i].pipeline == pipeline) cost = checked_add(cost, stream.stages[i].issue);
    return cost;
  };
}

Ticks end_of(const Step& step) { return step.retires_at_issue ? step.issue : step.completion; }

/// How far a resource may still be taken when the last instruction on it has ended.
Ticks overhang(const Program& program, const std::function<Ticks(const Step&)>& taken) {
  std::int64_t longest = 0;
  for (const Stream& stream : program.streams)
    for (const Step& step : stream.steps) longest = std::max(longest, taken(step).count - end_of(step).count);
  return Ticks{longest};
}

/// The groups of the unit that gets most.
std::int64_t groups_of_busiest_unit(const Machine& machine) {
  return machine.groups / machine.units + (machine.groups % machine.units != 0 ? 1 : 0);
}

std::size_t schedulers_of(const Machine& machine) {
  return static_cast<std::size_t>(std::max<std::int64_t>(machine.schedulers, 1));
}

/// The time that one group takes of the busiest scheduler's instance of a resource; the mean of all where groups in
/// different slots meet schedulers in different order.
WideTicks group_time_on_scheduler(const std::vector<WideTicks>& times, const Machine& machine) {
  const std::size_t schedulers = schedulers_of(machine);
  if (times.size() % schedulers != 0 && machine.slots > 1) return sum(times) / static_cast<WideTicks>(schedulers);
  std::vector<WideTicks> of_scheduler(schedulers);
  for (std::size_t warp = 0; warp < times.size(); ++warp) of_scheduler[warp % schedulers] += times[warp];
  return *std::ranges::max_element(of_scheduler);
}

/// The time that one group takes of the busiest instance.
WideTicks group_time(const std::vector<WideTicks>& times, const Machine& machine, Scope scope) {
  return scope == Scope::Scheduler ? group_time_on_scheduler(times, machine) : sum(times);
}

/// The share of an instance that one group takes among many: what counts for how many warps it needs.
double mean_group_time(const std::vector<WideTicks>& times, const Machine& machine, Scope scope) {
  const auto instances_a_unit = scope == Scope::Scheduler ? static_cast<double>(schedulers_of(machine)) : 1.0;
  if (scope == Scope::Scheduler && times.size() % schedulers_of(machine) == 0)
    return static_cast<double>(group_time_on_scheduler(times, machine));
  return static_cast<double>(sum(times)) / instances_a_unit;
}

/// One warp on an idle machine: nobody in its way, no queues behind its pipelines.
Ticks time_alone(const Program& program, const Stream& stream, Leap leap) {
  Program alone{program.machine, {stream}, {0}, {}};
  alone.machine.units = alone.machine.slots = alone.machine.groups = 1;
  for (Step& step : alone.streams.front().steps) step.stages = {};
  assign_gates(alone);
  return run(alone, leap).cycles;
}

Ticks slowest_alone(const Program& program, Leap leap) {
  Ticks slowest;
  for (const Stream& stream : program.streams) slowest = std::max(slowest, time_alone(program, stream, leap));
  return slowest;
}

/// Some slot of some unit takes at least so many groups, one after the other.
WideTicks latency_bound(const Machine& machine, Ticks alone) {
  const std::int64_t of_unit = groups_of_busiest_unit(machine);
  const std::int64_t waves = of_unit / machine.slots + (of_unit % machine.slots != 0 ? 1 : 0);
  return static_cast<WideTicks>(waves) * alone.count +
         static_cast<WideTicks>(waves - 1) * machine.group_launch_latency.count;
}

class BoundFinder {
 public:
  BoundFinder(const Program& program, const Device& device, Leap leap)
      : program_(program), device_(device), leap_(leap) {}

  Bounds find() {
    for (std::size_t i = 0; i < device_.pipelines.size(); ++i) {
      const auto taken = [i](const Step& step) { return step.pipeline == i ? step.issue : Ticks{}; };
      add("pipeline " + device_.pipelines[i].name, pipeline_cost(i), device_.pipelines[i].scope,
          overhang(program_, taken));
    }
    if (program_.machine.schedulers > 0) {
      const auto taken = [](const Step& step) { return step.scheduler_busy; };
      add(
          "schedulers", [taken](const Stream&, const Step& step) { return taken(step); }, Scope::Scheduler,
          overhang(program_, taken));
    }
    add_latency();  // last: it plays a warp, the others have found by now what overflows
    return std::move(found_);
  }

 private:
  void add(const std::string& name, const Cost& cost, Scope scope, Ticks overhang) {
    const std::vector<WideTicks> times = warp_times(program_, cost);
    const WideTicks of_group = group_time(times, program_.machine, scope);
    if (of_group == 0) return;  // not used
    const std::int64_t groups =
        scope == Scope::Device ? program_.machine.groups : groups_of_busiest_unit(program_.machine);
    const WideTicks taken = of_group * static_cast<WideTicks>(groups) - overhang.count;
    found_.bounds.push_back({name, narrow(std::max<WideTicks>(taken, 0))});
    // All simulated units together keep a device pipeline busy.
    const double units = scope == Scope::Device ? static_cast<double>(program_.machine.units) : 1.0;
    const double groups_a_time = 1.0 / (mean_group_time(times, program_.machine, scope) * units);
    found_.warps_needed.push_back({name, static_cast<double>(times.size()) * groups_a_time});
  }

  void add_latency() {
    const Ticks alone = slowest_alone(program_, leap_);
    found_.bounds.push_back({"latency", narrow(latency_bound(program_.machine, alone))});
    for (WarpsNeeded& needed : found_.warps_needed) needed.warps *= static_cast<double>(alone.count);
  }

  const Program& program_;
  const Device& device_;
  Leap leap_;
  Bounds found_;
};

}  // namespace

std::int64_t instructions_issued(const Program& program) {
  WideTicks total = 0;
  for (const std::uint32_t stream : program.stream_of_warp)
    for (const std::int64_t runs : program.streams[stream].runs) total += runs;
  return narrow(total * static_cast<WideTicks>(program.machine.groups)).count;
}

Ticks busy(const Program& program, std::size_t pipeline) {
  return narrow(sum(warp_times(program, pipeline_cost(pipeline))) * static_cast<WideTicks>(program.machine.groups));
}

Bounds lower_bounds(const Program& program, const Device& device, Leap leap) {
  return BoundFinder(program, device, leap).find();
}

}  // namespace warpipe
