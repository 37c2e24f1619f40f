#include "warpipe/baselines/workload.hpp"

#include <algorithm>

#include "alone.hpp"
#include "interval_profile.hpp"
#include "mean_services.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

WorkClass work_of(const Op& op) {
  if (op.barrier) return WorkClass::Barrier;
  switch (class_of(op.name)) {
    case OpClass::GlobalMemory:
      return WorkClass::GlobalMemory;
    case OpClass::SharedMemory:
      return WorkClass::SharedMemory;
    case OpClass::SpecialFunction:
      return WorkClass::SpecialFunction;
    default:
      return WorkClass::Computation;
  }
}

/// Takes a workload from a program with a single unit for all.
class Reader {
 public:
  Reader(const Kernel& kernel, const Device& device, const Program& program, Skipping skipping)
      : kernel_(kernel), device_(device), program_(program), skipping_(skipping), warps_(warps_of_streams(program)) {}

  void read(Workload& workload) {
    read_instructions(workload);
    read_resources(workload);
    workload.computation_alone = path_of_class(WorkClass::Computation, WorkClass::SpecialFunction);
    workload.memory_alone = path_of_class(WorkClass::GlobalMemory, WorkClass::GlobalMemory);
    workload.intervals = read_intervals();
  }

 private:
  const Op& op_of(const InstructionStream& stream, std::size_t step) const {
    return *device_.find_op(kernel_.instructions[stream.instructions[step]].op);
  }

  double group_warps() const { return static_cast<double>(warps_per_group(program_)); }

  double instances_of_unit(std::size_t pipeline) const {
    return static_cast<double>(instances(program_.machine, program_.machine.pipelines[pipeline].scope));
  }

  /// The share of a stream's warps in all warps.
  double share_of_warps(std::size_t stream) const {
    return static_cast<double>(warps_[stream]) / (static_cast<double>(program_.machine.groups) * group_warps());
  }

  void read_instructions(Workload& workload) const {
    for (std::size_t i = 0; i < program_.streams.size(); ++i) {
      const InstructionStream& stream = program_.streams[i];
      const Values values = body_values(kernel_, workload.launch.values, stream.first_kind, stream.first_warp);
      const double share = share_of_warps(i);
      for (std::size_t step = 0; step < stream.steps.size(); ++step) {
        InstructionLoad load = load_of(stream, step, values, workload.launch);
        load.executions = share * static_cast<double>(stream.runs[step]);
        workload.instructions.push_back(load);
      }
    }
  }

  InstructionLoad load_of(const InstructionStream& stream, std::size_t index, const Values& values,
                          const Launch& launch) const {
    const Step& step = stream.steps[index];
    const Op& op = op_of(stream, index);
    const BoundInstruction bound = bind_latencies(kernel_.instructions[stream.instructions[index]], device_, values,
                                                  launch.resident_warps, launch.shape);
    const double schedulers = static_cast<double>(schedulers_per_unit(program_.machine));
    InstructionLoad load;
    load.op = op.name;
    load.work = work_of(op);
    load.interval.count = std::max(to_cycles(step.issue).count / instances_of_unit(step.pipeline),
                                   to_cycles(step.scheduler_busy).count / schedulers);
    for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i) {
      const Stage& stage = stream.stages[i];
      load.transfer.count =
          std::max(load.transfer.count, to_cycles(stage.issue).count / instances_of_unit(stage.pipeline));
    }
    load.waited_for = !step.retires_at_issue;
    load.latency = to_cycles(load.waited_for ? step.completion : step.issue);
    if (op.per_conflict)
      load.conflicts.count = static_cast<double>(further_ways(op, bound.conflict_degree)) *
                             op.per_conflict->issue.count / instances_of_unit(step.pipeline);
    load.transactions = static_cast<double>(bound.transactions);
    load.coalesced = bound.transactions <= op.transactions;
    return load;
  }

  void read_resources(Workload& workload) const {
    const double warps = static_cast<double>(program_.machine.groups) * group_warps();
    for (std::size_t i = 0; i < device_.pipelines.size(); ++i) {
      const double taken = to_cycles(busy(program_, i)).count;
      if (taken == 0) continue;
      const auto on_it = [i](const InstructionStream& stream, std::size_t step) {
        return stream.steps[step].pipeline == i;
      };
      workload.resources.push_back({"pipeline " + device_.pipelines[i].name,
                                    {taken / warps / instances_of_unit(i)},
                                    longest_path(program_, skipping_, on_it)});
    }
    if (program_.machine.schedulers == 0) return;
    double slots = 0;
    for (std::size_t i = 0; i < program_.streams.size(); ++i)
      slots += share_of_warps(i) * slots_of(program_.streams[i]);
    workload.resources.push_back({"schedulers", {slots / static_cast<double>(program_.machine.schedulers)}, {}});
  }

  static double slots_of(const InstructionStream& stream) {
    double cycles = 0;
    for (std::size_t i = 0; i < stream.steps.size(); ++i)
      cycles += static_cast<double>(stream.runs[i]) * to_cycles(stream.steps[i].scheduler_busy).count;
    return cycles;
  }

  Cycles path_of_class(WorkClass one, WorkClass other) const {
    return longest_path(program_, skipping_, [&](const InstructionStream& stream, std::size_t step) {
      const WorkClass work = work_of(op_of(stream, step));
      return work == one || work == other;
    });
  }

  std::optional<std::vector<WarpInterval>> read_intervals() const {
    const auto path = [&](const InstructionStream& stream) { return path_of(program_, stream, skipping_); };
    const auto slowest = std::ranges::max_element(program_.streams, {}, path);
    if (slowest == program_.streams.end()) return std::vector<WarpInterval>{};
    std::vector<bool> is_memory;
    for (std::size_t step = 0; step < slowest->steps.size(); ++step)
      is_memory.push_back(work_of(op_of(*slowest, step)) == WorkClass::GlobalMemory);
    return interval_profile(program_, *slowest, is_memory);
  }

  const Kernel& kernel_;
  const Device& device_;
  const Program& program_;
  Skipping skipping_;
  std::vector<std::int64_t> warps_;  ///< by stream
};

void read_launch(Workload& workload, const Device& device) {
  const Launch& launch = workload.launch;
  const double groups = static_cast<double>(launch.groups.value);
  workload.groups_of_unit = static_cast<double>(launch.groups_per_unit);
  workload.active_units = std::min(static_cast<double>(device.compute_units), groups);
  const double warps = static_cast<double>(launch.warps_per_group);
  workload.warps_of_unit = groups / workload.active_units * warps;
  workload.resident_groups =
      std::min(static_cast<double>(launch.concurrent_groups.value), groups / workload.active_units);
  workload.resident_warps = workload.resident_groups * warps;
}

void read_device(Workload& workload, const Device& device) {
  workload.schedulers = static_cast<double>(device.schedulers.value_or(1));
  workload.issue_interval = device.schedulers ? device.issue_interval : Cycles{0};
  workload.greedy = device.policy == Policy::GreedyOldest;
  workload.replacement = device.group_launch_latency;
  workload.clock = device.clock;
  workload.warp_size = static_cast<double>(device.warp_size);
  if (const Op* load = device.find_op("global.load"))
    workload.load_latency = latency_at(load->completion, workload.launch.resident_warps);
  workload.bandwidth = bandwidth_of(device);
  if (!device.memory) return;
  if (const auto& levels = device.memory->levels; !levels.empty())
    workload.load_latency.count += latency_of(levels.back(), device.clock).count;
  workload.transaction_bytes = static_cast<double>(device.memory->transaction_bytes);
}

}  // namespace

Workload workload_of(const Kernel& original_kernel, const Device& original_device, const LaunchOptions& options) {
  const SettledLaunch settled = settle_launch(original_kernel, original_device, options);
  const auto& [kernel, device, applied, launch, levels, filled] = settled;
  Workload workload;
  workload.launch = launch;
  read_launch(workload, device);
  read_device(workload, device);

  const Program simulated = lower(settled);
  for (const Bound& bound : lower_bounds(simulated, device, options.skipping).bounds)
    if (bound.name.starts_with("pipeline ") || bound.name == "schedulers")
      workload.bounds.emplace_back(bound.name, to_cycles(bound.cycles));
  workload.alone = longest_path(with_mean_services(simulated), options.skipping);
  LaunchOptions one_unit = options;
  one_unit.units = Units::One;
  const Program program =
      with_mean_services(options.units == Units::One ? simulated : lower(kernel, device, launch, one_unit));
  Reader(kernel, device, program, options.skipping).read(workload);
  return workload;
}

double executions(const Workload& workload, WorkClass work) {
  double sum = 0;
  for (const InstructionLoad& load : workload.instructions)
    if (load.work == work) sum += load.executions;
  return sum;
}

}  // namespace warpipe
