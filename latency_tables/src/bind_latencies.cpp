#include "warpipe/latency_tables/bind_latencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "diagnose.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/latency_tables/access.hpp"

namespace warpipe {
namespace {

std::string shown(const Device& device) { return fmt::format("device \"{}\"", device.name); }

std::string place(const Instruction& instruction) {
  return instruction.where.empty() ? fmt::format("instruction \"{}\"", instruction.id) : instruction.where;
}

Diagnostic missing_op(const Instruction& instruction, const Device& device) {
  std::vector<std::string> names;
  std::ranges::transform(device.ops, std::back_inserter(names), &Op::name);
  return {place(instruction) + "/op", fmt::format("no op \"{}\" on {}", instruction.op, shown(device)), "",
          suggest(instruction.op, names)};
}

/// What an instruction's own factors come to on an op.
struct Factors {
  std::int64_t conflict_degree, transactions;
};

/// An explicit factor, which the op must be able to take.
std::int64_t explicit_factor(const Expression& factor, const char* key, const char* increment, bool takes,
                             const Instruction& instruction, const Values& values, const Device& device) {
  const std::string where = fmt::format("{}/{}", place(instruction), key);
  if (!takes)
    throw ModelError(Diagnostic{
        where, fmt::format("an instruction can have {} only where its op has {}", key, increment),
        fmt::format("found \"{}\" on op \"{}\" of {}, which has none", factor.text(), instruction.op, shown(device)),
        fmt::format("remove {} here, or add {} to the op", key, increment)});
  return detail::placed(where, [&] { return factor.evaluate_whole(values, 1); });
}

/// The factors that the lane addresses give, where the op takes them.
Factors factors_of_access(const Instruction& instruction, const Op& op, const Device& device, const Values& values,
                          const LaunchShape& shape) {
  Factors factors{1, op.transactions};
  if (!instruction.access) return factors;
  const std::string where = place(instruction) + "/access";
  if (!device.memory)
    throw ModelError(
        Diagnostic{where, fmt::format("an access pattern needs \"memory\", which {} does not have", shown(device)), "",
                   "add \"memory\" to the device, or give conflict_degree and transactions instead"});
  detail::placed(where, [&] {
    const LaneAccess access = lane_access(*instruction.access, values, device.warp_size, shape);
    if (takes_conflict_degree(op)) factors.conflict_degree = bank_conflict_degree(access, *device.memory);
    if (takes_transactions(op)) factors.transactions = transactions(access, *device.memory);
  });
  return factors;
}

Factors factors_of(const Instruction& instruction, const Op& op, const Device& device, const Values& values,
                   const LaunchShape& shape) {
  Factors factors = factors_of_access(instruction, op, device, values, shape);
  if (instruction.conflict_degree)
    factors.conflict_degree = explicit_factor(*instruction.conflict_degree, "conflict_degree", "per_conflict",
                                              takes_conflict_degree(op), instruction, values, device);
  if (factors.conflict_degree > device.warp_size)
    throw ModelError(
        Diagnostic{place(instruction) + "/conflict_degree",
                   fmt::format("{} lanes of a warp cannot conflict {} ways", device.warp_size, factors.conflict_degree),
                   "", fmt::format("give at most {}", device.warp_size)});
  if (instruction.transactions)
    factors.transactions = explicit_factor(*instruction.transactions, "transactions", "per_transaction",
                                           takes_transactions(op), instruction, values, device);
  return factors;
}

/// Rule 4: the order of the operations is part of the rule.
class Binder {
 public:
  Binder(const Factors& factors, const Op& op)
      : further_ways_(static_cast<double>(factors.conflict_degree - 1)),
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

BoundInstruction bound(const Instruction& instruction, const Op& op, const Factors& factors, const Device& device,
                       std::int64_t resident_warps) {
  const Binder binder(factors, op);
  const Increment per_conflict = op.per_conflict.value_or(Increment{});
  const Increment per_transaction = op.per_transaction.value_or(Increment{});
  const Cycles issue = instruction.issue_latency.value_or(latency_at(op.issue, resident_warps));
  const Cycles completion = instruction.completion_latency.value_or(latency_at(op.completion, resident_warps));

  BoundInstruction result;
  result.pipeline = op.pipeline;
  result.issue = binder.bind(issue, per_conflict.issue, per_transaction.issue);
  result.completion = binder.bind(completion, per_conflict.completion, per_transaction.completion);
  result.scheduler_busy = round_to_ticks(Cycles{device.issue_interval.count * static_cast<double>(op.issue_slots)});
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

}  // namespace

void require_ops(const Kernel& kernel, const Device& device) {
  std::vector<Diagnostic> problems;
  std::set<std::string> missing;
  for (const Instruction& instruction : kernel.instructions) {
    if (device.find_op(instruction.op) == nullptr && missing.insert(instruction.op).second)
      problems.push_back(missing_op(instruction, device));
    add_latencies_on_barriers(instruction, kernel, device, problems);
  }
  const std::string file = kernel.file.empty() ? fmt::format("kernel \"{}\"", kernel.name) : kernel.file;
  for (Diagnostic& problem : problems) problem.where.insert(0, file + ": ");
  if (!problems.empty()) throw ModelError(std::move(problems));
}

BoundInstruction bind_latencies(const Instruction& instruction, const Device& device, const Values& values,
                                std::int64_t resident_warps, const LaunchShape& shape) {
  const Op* op = device.find_op(instruction.op);
  if (op == nullptr) throw ModelError(missing_op(instruction, device));
  const Factors factors = factors_of(instruction, *op, device, values, shape);
  return detail::placed(place(instruction), [&] { return bound(instruction, *op, factors, device, resident_warps); });
}

}  // namespace warpipe
