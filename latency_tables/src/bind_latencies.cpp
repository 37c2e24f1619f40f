#include "warpipe/latency_tables/bind_latencies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "binding.hpp"
#include "diagnose.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/latency_tables/access.hpp"

namespace warpipe {
namespace detail {
namespace {

/// A factor given by an instruction itself; its op must be able to take it.
std::int64_t given_factor(const Binding& binding, const Expression& factor, const char* key, const char* increment,
                          bool takes) {
  const std::string where = fmt::format("{}/{}", place(binding.instruction), key);
  if (!takes)
    throw ModelError(Diagnostic{where,
                                fmt::format("an instruction can have {} only where its op has {}", key, increment),
                                fmt::format("found \"{}\" on op \"{}\" of {}, which has none", factor.text(),
                                            binding.instruction.op, shown(binding.device)),
                                fmt::format("remove {} here, or add {} to the op", key, increment)});
  return placed(where, [&] { return factor.evaluate_whole(binding.values, 1); });
}

}  // namespace

std::string shown(const Device& device) { return fmt::format("device \"{}\"", device.name); }

std::string place(const Instruction& instruction) {
  return instruction.where.empty() ? fmt::format("instruction \"{}\"", instruction.id) : instruction.where;
}

Cycles issue_of(const Binding& binding) {
  return binding.instruction.issue_latency.value_or(latency_at(binding.op.issue, binding.resident_warps));
}

Cycles completion_of(const Binding& binding) {
  return binding.instruction.completion_latency.value_or(latency_at(binding.op.completion, binding.resident_warps));
}

std::optional<LaneAccess> lanes_of(const Binding& binding) {
  if (!binding.instruction.access) return std::nullopt;
  const std::string where = place(binding.instruction) + "/access";
  if (!binding.device.memory)
    throw ModelError(Diagnostic{
        where, fmt::format("an access pattern needs \"memory\", which {} does not have", shown(binding.device)), "",
        "add \"memory\" to the device, or give conflict_degree and transactions instead"});
  return placed(where, [&] {
    return lane_access(*binding.instruction.access, binding.values, binding.device.warp_size, binding.shape);
  });
}

void check_conflict_degree(const Binding& binding, std::int64_t degree) {
  const std::int64_t lanes = binding.device.warp_size;
  if (degree > lanes)
    throw ModelError(Diagnostic{place(binding.instruction) + "/conflict_degree",
                                fmt::format("{} lanes of a warp cannot conflict {} ways", lanes, degree), "",
                                fmt::format("give at most {}", lanes)});
}

std::optional<std::int64_t> given_conflict_degree(const Binding& binding, bool takes) {
  if (!binding.instruction.conflict_degree) return std::nullopt;
  return given_factor(binding, *binding.instruction.conflict_degree, "conflict_degree", "per_conflict", takes);
}

std::optional<std::int64_t> given_transactions(const Binding& binding, bool takes) {
  if (!binding.instruction.transactions) return std::nullopt;
  return given_factor(binding, *binding.instruction.transactions, "transactions", "per_transaction", takes);
}

}  // namespace detail

namespace {

using detail::Binding;
using detail::place;
using detail::shown;

Diagnostic missing_op(const Instruction& instruction, const Device& device) {
  std::vector<std::string> names;
  std::ranges::transform(device.ops, std::back_inserter(names), &Op::name);
  return {place(instruction) + "/op", fmt::format("no op \"{}\" on {}", instruction.op, shown(device)), "",
          suggest(instruction.op, names)};
}

/// The factors of an instruction on an op.
struct Factors {
  std::int64_t conflict_degree, transactions;
};

/// The factors given by the instruction itself, else from its lane addresses, if the op takes them.
Factors factors_of(const Binding& binding) {
  const Op& op = binding.op;
  const bool takes_ways = takes_conflict_degree(op), takes_segments = takes_transactions(op);
  Factors factors{1, op.transactions};
  if (const auto lanes = lanes_of(binding))
    detail::placed(place(binding.instruction) + "/access", [&] {
      if (takes_ways) factors.conflict_degree = bank_conflict_degree(*lanes, *binding.device.memory);
      if (takes_segments) factors.transactions = transactions(*lanes, *binding.device.memory);
    });
  factors.conflict_degree = given_conflict_degree(binding, takes_ways).value_or(factors.conflict_degree);
  check_conflict_degree(binding, factors.conflict_degree);
  factors.transactions = given_transactions(binding, takes_segments).value_or(factors.transactions);
  return factors;
}

/// Rule 4: the order of the operations is part of the rule.
class Binder {
 public:
  Binder(const Factors& factors, const Op& op)
      : further_ways_(static_cast<double>(further_ways(op, factors.conflict_degree))),
        further_transactions_(static_cast<double>(factors.transactions - op.transactions)) {}

  Ticks bind(Cycles base, Cycles per_conflict, Cycles per_transaction) const {
    double latency = base.count;
    latency += further_ways_ * per_conflict.count;
    latency += further_transactions_ * per_transaction.count;
    return round_to_ticks(Cycles{std::max(latency, 0.0)});
  }

 private:
  double further_ways_, further_transactions_;
};

BoundInstruction bound(const Binding& binding, const Factors& factors) {
  const Op& op = binding.op;
  const std::int64_t resident_warps = binding.resident_warps;
  const Binder binder(factors, op);
  const Increment per_conflict = op.per_conflict.value_or(Increment{});
  const Increment per_transaction = op.per_transaction.value_or(Increment{});

  BoundInstruction result;
  result.pipeline = op.pipeline;
  result.issue = binder.bind(issue_of(binding), per_conflict.issue, per_transaction.issue);
  result.completion = binder.bind(completion_of(binding), per_conflict.completion, per_transaction.completion);
  for (const Then& then : op.then)
    result.then.push_back({then.pipeline,
                           binder.bind(latency_at(then.issue, resident_warps), then.per_conflict.value_or(Cycles{}),
                                       then.per_transaction.value_or(Cycles{})),
                           round_to_ticks(then.after)});
  result.barrier = op.barrier;
  result.retires_at_issue = op.retires_at_issue;
  result.conflict_degree = factors.conflict_degree;
  result.transactions = factors.transactions;
  return result;
}

/// Only an access to a memory with levels can have levels. A device without levels ignores the kernel's levels of
/// accesses to global memory.
void refuse_levels(const Instruction& instruction, const Device& device) {
  if (!has_levels(device) && class_of(instruction.op) == OpClass::GlobalMemory) return;
  const auto refuse = [&](const char* key) {
    throw ModelError(Diagnostic{fmt::format("{}/{}", place(instruction), key),
                                fmt::format("only an access to global memory that has levels can have \"{}\"", key),
                                fmt::format("found op \"{}\" on {}", instruction.op, shown(device)),
                                "remove it, or take a device with \"levels\""});
  };
  if (!instruction.levels.empty()) refuse("levels");
  if (instruction.lines) refuse("lines");
}

/// A barrier opens for a whole group at once, so no consumer gets its result earlier or later.
void add_latencies_on_barriers(const Instruction& instruction, const Kernel& kernel, const Device& device,
                               std::vector<Diagnostic>& problems) {
  for (std::size_t i = 0; i < instruction.after.size(); ++i) {
    const Dependence& dependence = instruction.after[i];
    const Instruction& producer = kernel.instructions[dependence.producer];
    const Op* op = device.find_op(producer.op);
    if (!dependence.latency || op == nullptr || !op->barrier) continue;
    problems.push_back({fmt::format("{}/after/{}/latency", place(instruction), i),
                        "a consumer cannot override the latency of a barrier",
                        fmt::format("found {} cycles after \"{}\", whose op \"{}\" is a barrier on {}",
                                    dependence.latency->count, producer.id, producer.op, shown(device)),
                        "remove the latency"});
  }
}

/// Adds the sizes behind the kernel's counts that differ from the device's. A device without levels has no lines.
void add_other_sizes(const Kernel& kernel, const Device& device, std::vector<Diagnostic>& problems) {
  if (!kernel.counted_for || !device.memory) return;
  const AccessSizes& counted = *kernel.counted_for;
  const Memory& memory = *device.memory;
  std::set<std::string> wanted, found;
  const auto require = [&](bool counts, const char* key, std::int64_t of_kernel, std::int64_t of_device) {
    if (!counts || of_kernel == of_device) return;
    wanted.insert(fmt::format("{} {}", key, of_kernel));
    found.insert(fmt::format("{} {}", key, of_device));
  };
  for (const Instruction& instruction : kernel.instructions) {
    const Op* op = device.find_op(instruction.op);
    if (op == nullptr) continue;
    const OpClass op_class = class_of(instruction.op);
    const bool global = op_class == OpClass::GlobalMemory && (has_levels(device) || takes_transactions(*op));
    const bool shared = op_class == OpClass::SharedMemory && takes_conflict_degree(*op) && instruction.conflict_degree;
    require(global && (instruction.transactions || instruction.turns), "sector_bytes", counted.sector_bytes,
            memory.transaction_bytes);
    if (has_levels(device))
      require(global && instruction.lines, "line_bytes", counted.line_bytes, memory.levels.front().line_bytes);
    require(shared, "banks", counted.banks, memory.banks);
    require(shared, "bank_bytes", counted.bank_bytes, memory.bank_bytes);
  }
  if (wanted.empty()) return;
  problems.push_back(
      {"/counted_for", "the counts of a kernel's accesses hold for a device's memory of the sizes that it names",
       fmt::format("found {}, and {} on {}", fmt::join(wanted, ", "), fmt::join(found, ", "), shown(device)),
       "import the kernel for this device, by `device`"});
}

}  // namespace

void require_ops(const Kernel& kernel, const Device& device) {
  std::vector<Diagnostic> problems;
  std::set<std::string> missing;
  for (const Instruction& instruction : kernel.instructions) {
    if (device.find_op(instruction.op) == nullptr && missing.insert(instruction.op).second)
      problems.push_back(missing_op(instruction, device));
    add_latencies_on_barriers(instruction, kernel, device, problems);
  }
  add_other_sizes(kernel, device, problems);
  const std::string file = kernel.file.empty() ? fmt::format("kernel \"{}\"", kernel.name) : kernel.file;
  for (Diagnostic& problem : problems) problem.where.insert(0, file + ": ");
  if (!problems.empty()) throw ModelError(std::move(problems));
}

namespace {

/// The least intervals of an instruction with this much code around it.
FarCode fetching(const Device& device, std::int64_t code_bytes) {
  FarCode found;
  for (const FarCode& level : device.far_code)
    if (level.bytes < code_bytes) found = level;
  return found;
}

}  // namespace

BoundInstruction bind_latencies(const Instruction& instruction, const Device& device, const Values& values,
                                std::int64_t resident_warps, const LaunchShape& shape) {
  const Op* op = device.find_op(instruction.op);
  if (op == nullptr) throw ModelError(missing_op(instruction, device));
  const Binding binding{instruction, *op, device, values, resident_warps, shape};
  const auto access = memory_op(instruction.op, device);
  if (!access) refuse_levels(instruction, device);
  const auto costs = [&] {
    if (access) return bind_to_levels(binding, *access);
    const Factors factors = factors_of(binding);
    return detail::placed(place(instruction), [&] { return bound(binding, factors); });
  };
  BoundInstruction result = costs();
  const FarCode far = fetching(device, instruction.code_bytes);
  result.scheduler_busy = detail::placed(place(instruction), [&] {
    const double slots = device.issue_interval.count * static_cast<double>(op->issue_slots);
    const double reads = device.register_read.count * static_cast<double>(instruction.register_reads);
    return round_to_ticks(Cycles{std::max({slots, reads, far.interval.count})});
  });
  result.stall = std::max(instruction.stall, far.warp_interval);
  return result;
}

}  // namespace warpipe
