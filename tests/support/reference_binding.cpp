#include "support/reference_binding.hpp"

#include <algorithm>

#include "support/reference_access.hpp"
#include "support/reference_levels.hpp"
#include "support/reference_times.hpp"

namespace warpipe::reference {
namespace {

bool has_conflict_increment(const Op& op) {
  return op.per_conflict ||
         std::any_of(op.then.begin(), op.then.end(), [](const Then& entry) { return entry.per_conflict.has_value(); });
}

bool has_transaction_increment(const Op& op) {
  return op.per_transaction || std::any_of(op.then.begin(), op.then.end(),
                                           [](const Then& entry) { return entry.per_transaction.has_value(); });
}

// Formats: `access` "gives the conflict degree to an op that has `per_conflict`"; "an explicit value wins".
std::int64_t degree_of(const Instruction& instruction, const Op& op, const Device& device, const Values& values) {
  if (instruction.conflict_degree) return instruction.conflict_degree->evaluate_whole(values, 1);
  if (instruction.access && has_conflict_increment(op)) return conflict_degree(*instruction.access, values, device);
  return 1;
}

// Rule 4: "an instruction without `transactions` has t0 of them".
std::int64_t transactions_of(const Instruction& instruction, const Op& op, const Device& device, const Values& values) {
  if (instruction.transactions) return instruction.transactions->evaluate_whole(values, 1);
  if (instruction.access && has_transaction_increment(op)) return transactions(*instruction.access, values, device);
  return op.transactions;
}

struct Ways {
  double further_conflicts;     // max(0, d - w)
  double further_transactions;  // t - t0
};

// "with conflict_degree d: += max(0, d - w) * ..., then, with transactions t: += (t-t0) * ..., then max with 0, then
// rounded"
Ticks grown(double base, const Ways& ways, Cycles per_conflict, Cycles per_transaction) {
  base += ways.further_conflicts * per_conflict.count;
  base += ways.further_transactions * per_transaction.count;
  return round_to_ticks(Cycles{std::max(base, 0.0)});
}

}  // namespace

Ticks shared(Ticks lambda, const Device& device, std::size_t pipeline, Share share) {
  return device.pipelines[pipeline].scope == Scope::Device ? fair_share(lambda, share) : lambda;
}

Ticks fair_share(Ticks lambda, Share share) {
  __extension__ using Wide = __int128;
  return {static_cast<std::int64_t>((2 * static_cast<Wide>(lambda.count) * share.all + share.here) / (2 * share.here))};
}

// Rule 4: "y0 + (y1 - y0) * (R - x0) / (x1 - x0), evaluated left to right, and constant outside the points".
double interpolate(const Latency& latency, std::int64_t resident_warps) {
  const auto& points = latency.points;
  if (resident_warps <= points.front().first) return points.front().second;
  if (resident_warps >= points.back().first) return points.back().second;
  std::size_t i = 0;
  while (points[i + 1].first <= resident_warps) ++i;
  const double x0 = static_cast<double>(points[i].first), y0 = points[i].second;
  const double x1 = static_cast<double>(points[i + 1].first), y1 = points[i + 1].second;
  return y0 + (y1 - y0) * (static_cast<double>(resident_warps) - x0) / (x1 - x0);
}

namespace {

// Rule 4, for all but accesses on a device with levels.
Bound bind_by_op(const Instruction& instruction, const Op& op, const Device& device, const Values& values,
                 std::int64_t resident_warps, Share share) {
  const auto degree = static_cast<double>(degree_of(instruction, op, device, values));
  const Ways ways{std::max(0.0, degree - static_cast<double>(op.ways)),
                  static_cast<double>(transactions_of(instruction, op, device, values) - op.transactions)};
  const Increment conflict = op.per_conflict.value_or(Increment{});
  const Increment transaction = op.per_transaction.value_or(Increment{});
  const double issue =
      instruction.issue_latency ? instruction.issue_latency->count : interpolate(op.issue, resident_warps);
  const double completion = instruction.completion_latency ? instruction.completion_latency->count
                                                           : interpolate(op.completion, resident_warps);
  Bound bound;
  bound.pipeline = op.pipeline;
  bound.issue = shared(grown(issue, ways, conflict.issue, transaction.issue), device, op.pipeline, share);
  bound.completion = grown(completion, ways, conflict.completion, transaction.completion);
  bound.retires_at_issue = op.retires_at_issue;
  for (const Then& entry : op.then) {
    const Ticks lambda = grown(interpolate(entry.issue, resident_warps), ways, entry.per_conflict.value_or(Cycles{}),
                               entry.per_transaction.value_or(Cycles{}));
    bound.then.push_back(
        {entry.pipeline, shared(lambda, device, entry.pipeline, share), round_to_ticks(entry.after), {}});
  }
  return bound;
}

}  // namespace

Bound bind_instruction(const Instruction& instruction, const Device& device, const Values& values,
                       std::int64_t resident_warps, Share share) {
  const Op& op = op_of(instruction, device);
  Bound bound = is_access(instruction, device) ? bind_by_levels(instruction, op, device, values, resident_warps, share)
                                               : bind_by_op(instruction, op, device, values, resident_warps, share);
  // Rule 5: "*far* is the last entry of `far_code` with fewer `bytes` than the `code_bytes` of the instruction".
  const auto far = std::find_if(device.far_code.rbegin(), device.far_code.rend(),
                                [&](const FarCode& entry) { return entry.bytes < instruction.code_bytes; });
  const bool is_far = far != device.far_code.rend();
  // Rule 5: "the largest of `interval` x `issue_slots` of the op, `register_read` x `register_reads` of the
  // instruction, and `interval` of *far*, rounded once".
  bound.scheduler_busy =
      round_to_ticks(Cycles{std::max({device.issue_interval.count * static_cast<double>(op.issue_slots),
                                      device.register_read.count * static_cast<double>(instruction.register_reads),
                                      is_far ? far->interval.count : 0.0})});
  bound.stall = is_far ? std::max(instruction.stall, far->warp_interval) : instruction.stall;
  for (const Dependence& dependence : instruction.after) {
    Wait wait{dependence.producer, dependence.back.evaluate_whole(values, 1), {}};
    if (dependence.latency) wait.latency = round_to_ticks(*dependence.latency);
    bound.after.push_back(wait);
  }
  bound.barrier = op.barrier;
  return bound;
}

}  // namespace warpipe::reference
