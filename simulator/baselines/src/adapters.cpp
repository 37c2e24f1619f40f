#include "adapters.hpp"

#include <algorithm>
#include <functional>

namespace warpipe {
namespace {

using Which = std::function<bool(const InstructionLoad&)>;
using What = std::function<double(const InstructionLoad&)>;

double sum(const Workload& workload, const Which& which, const What& what) {
  double total = 0;
  for (const InstructionLoad& load : workload.instructions)
    if (which(load)) total += load.executions * what(load);
  return total;
}

double count(const Workload& workload, const Which& which) {
  return sum(workload, which, [](const InstructionLoad&) { return 1.0; });
}

/// The mean over executions; 0 where there are none.
double mean(const Workload& workload, const Which& which, const What& what) {
  const double times = count(workload, which);
  return times > 0 ? sum(workload, which, what) / times : 0;
}

bool is_memory(const InstructionLoad& load) { return load.work == WorkClass::GlobalMemory; }
bool is_load(const InstructionLoad& load) { return is_memory(load) && load.waited_for; }
bool is_coalesced(const InstructionLoad& load) { return is_memory(load) && load.coalesced; }
bool is_uncoalesced(const InstructionLoad& load) { return is_memory(load) && !load.coalesced; }
bool is_barrier(const InstructionLoad& load) { return load.work == WorkClass::Barrier; }
bool is_special(const InstructionLoad& load) { return load.work == WorkClass::SpecialFunction; }
bool is_other(const InstructionLoad& load) { return !is_memory(load) && !is_barrier(load); }

double interval(const InstructionLoad& load) { return load.interval.count; }
double latency(const InstructionLoad& load) { return load.latency.count; }
double transactions(const InstructionLoad& load) { return load.transactions; }
double departure(const InstructionLoad& load) { return load.interval.count / load.transactions; }

/// Sum of latencies over their common path; at least 1.
double parallelism(double latencies, Cycles path) { return path.count > 0 ? std::max(latencies / path.count, 1.0) : 1; }

double memory_latency(const Workload& workload) {
  const auto coalesced_load = [](const InstructionLoad& load) { return is_load(load) && load.coalesced; };
  if (count(workload, coalesced_load) > 0) return mean(workload, coalesced_load, latency);
  const auto first_transaction = [](const InstructionLoad& load) {
    return load.latency.count - (load.transactions - 1) * departure(load);
  };
  if (count(workload, is_load) > 0) return mean(workload, is_load, first_transaction);
  return workload.load_latency.count;
}

}  // namespace

std::string missing_for_memory_models(const Workload& workload) {
  if (!workload.bandwidth) return "needs the device's memory.bandwidth_bytes_per_s";
  if (!(mean(workload, is_memory, interval) > 0)) {
    return executions(workload, WorkClass::GlobalMemory) > 0 ? "needs an issue interval of global memory" : "";
  }
  return memory_latency(workload) > 0 ? "" : "needs a memory latency above 0";
}

HongKimInput hong_kim_input(const Workload& workload) {
  HongKimInput input;
  input.computation_instructions = count(workload, is_other);
  input.coalesced_loads = count(workload, is_coalesced);
  input.uncoalesced_loads = count(workload, is_uncoalesced);
  input.barriers = count(workload, is_barrier);
  input.memory_latency.count = memory_latency(workload);
  input.coalesced_departure.count = mean(workload, is_coalesced, interval);
  input.uncoalesced_departure.count = mean(workload, is_uncoalesced, departure);
  input.uncoalesced_transactions = std::max(mean(workload, is_uncoalesced, transactions), 1.0);
  input.issue_cycles.count = mean(workload, count(workload, is_other) > 0 ? is_other : is_memory, interval);
  input.resident_warps = workload.resident_warps;
  input.resident_groups = workload.resident_groups;
  input.active_units = workload.active_units;
  input.repetitions = workload.warps_of_unit / workload.resident_warps;
  input.bytes_per_load = mean(workload, is_memory, transactions) * workload.transaction_bytes;
  input.bandwidth = *workload.bandwidth;
  input.clock = workload.clock;
  return input;
}

GpuPerfInput gpuperf_input(const Workload& workload, const ModelInputs& inputs) {
  const auto conflicts = [](const InstructionLoad& load) { return load.conflicts.count; };
  GpuPerfInput input;
  input.loads = count(workload, is_memory);
  input.barriers = count(workload, is_barrier);
  input.instructions = input.loads + input.barriers + count(workload, is_other);
  input.special_functions = count(workload, is_special);
  input.bank_conflicts.count = sum(workload, is_other, conflicts);
  input.warps = workload.warps_of_unit * workload.active_units;
  input.groups = input.warps / static_cast<double>(workload.launch.warps_per_group);
  input.active_units = workload.active_units;
  input.resident_warps = workload.resident_warps;
  input.instruction_latency.count = mean(workload, is_other, latency);
  input.issue_cycles.count = mean(workload, is_other, interval);
  input.special_issue_cycles.count = mean(workload, is_special, interval);
  const auto computes = [](const InstructionLoad& load) {
    return load.work == WorkClass::Computation || load.work == WorkClass::SpecialFunction;
  };
  input.instruction_parallelism = parallelism(sum(workload, computes, latency), workload.computation_alone);
  input.memory_parallelism = parallelism(sum(workload, is_load, latency), workload.memory_alone);
  input.memory_latency.count = memory_latency(workload);
  input.transactions = 1;  // Lambda and lambda of the table stand for all transactions of an access
  input.departure.count = mean(workload, is_memory, interval);
  input.bytes_per_transaction = mean(workload, is_memory, transactions) * workload.transaction_bytes;
  input.bandwidth = workload.bandwidth.value_or(BytesPerSecond{});
  input.clock = workload.clock;
  input.sync_factor = inputs.sync_factor;
  return input;
}

std::vector<Component> zhang_owens_components(const Workload& workload) {
  Component instructions{"instruction pipeline", {}}, shared{"shared memory", {}}, global{"global memory", {}};
  for (const InstructionLoad& load : workload.instructions) {
    Component& component = load.work == WorkClass::GlobalMemory   ? global
                           : load.work == WorkClass::SharedMemory ? shared
                                                                  : instructions;
    component.instructions.push_back({load.executions, std::max(load.interval, load.transfer), load.latency});
  }
  std::vector<Component> used;
  for (Component& component : {std::ref(instructions), std::ref(shared), std::ref(global)})
    if (!component.instructions.empty()) used.push_back(std::move(component));
  return used;
}

IntervalMachine interval_machine(const Workload& workload, const ModelInputs& inputs, double groups) {
  IntervalMachine machine;
  machine.resident_warps = groups * static_cast<double>(workload.launch.warps_per_group);
  machine.schedulers = workload.schedulers;
  machine.issue_interval = workload.issue_interval;
  machine.greedy = workload.greedy;
  machine.outstanding_misses = inputs.outstanding_misses;
  return machine;
}

}  // namespace warpipe
