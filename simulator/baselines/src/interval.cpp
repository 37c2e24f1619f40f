#include "warpipe/baselines/interval.hpp"

#include <algorithm>
#include <cmath>

namespace warpipe {
namespace {

/// The mean properties of a warp while other warps hide its stalls.
struct Representative {
  double issue_share = 1;        ///< p: issue cycles / all cycles of a warp alone
  double mean_instructions = 0;  ///< of an interval
};

Representative representative(const std::vector<WarpInterval>& intervals, double issue_interval) {
  double instructions = 0, stalls = 0, count = 0;
  for (const WarpInterval& interval : intervals) {
    instructions += interval.repeats * interval.instructions;
    stalls += interval.repeats * interval.stall.count;
    count += interval.repeats;
  }
  if (count == 0) return {};
  const double issues = instructions * issue_interval;
  return {issues + stalls > 0 ? issues / (issues + stalls) : 1, instructions / count};
}

/// Cycles of issue, and of the remaining stall, of an interval with `warps` warps at `rate` instructions a cycle.
struct Exposed {
  double base = 0, data = 0;
};

Exposed exposed(const WarpInterval& interval, const Representative& warp, double warps, double rate, bool greedy) {
  const double others = warps - 1;
  if (greedy) {
    const double hidden = std::min(warp.issue_share * interval.stall.count, 1.0) * others * warp.mean_instructions;
    return {(interval.instructions + others * warp.mean_instructions) / rate,
            std::max(interval.stall.count - hidden / rate, 0.0)};
  }
  return {warps * interval.instructions / rate, std::max(interval.stall.count - others * warp.issue_share / rate, 0.0)};
}

/// Batches of a unit's misses of an interval, less the first.
double further_batches(double misses, double outstanding) {
  return outstanding > 0 ? std::max(std::ceil(misses / outstanding) - 1, 0.0) : 0;
}

/// Mean over requests 1 to n of ceil(j / m) x latency, less a latency.
double mean_batch_delay(double misses, double outstanding, double latency) {
  if (outstanding <= 0 || misses <= outstanding) return 0;
  const double full = std::floor(misses / outstanding), rest = misses - full * outstanding;
  const double batches = outstanding * full * (full + 1) / 2 + rest * (full + 1);
  return (batches / misses - 1) * latency;
}

/// M/D/1 wait of a request among the requests of an interval of `cycles`.
double queue_wait(double offered, double requests, double cycles) {
  if (requests == 0 || offered == 0) return 0;
  const double service = offered / requests, load = cycles > 0 ? offered / cycles : 1;
  const double half_of_the_others = (offered - service) / 2;
  return load < 1 ? std::min(load * service / (2 * (1 - load)), half_of_the_others) : half_of_the_others;
}

}  // namespace

Cycles total(const CycleStack& stack) {
  return {stack.base.count + stack.data.count + stack.structural.count + stack.misses.count + stack.queue.count};
}

CycleStack gpumech(const std::vector<WarpInterval>& intervals, const IntervalMachine& machine) {
  const Representative warp = representative(intervals, machine.issue_interval.count);
  const double rate = machine.schedulers / machine.issue_interval.count, warps = machine.resident_warps;
  CycleStack stack;
  for (const WarpInterval& interval : intervals) {
    const Exposed here = exposed(interval, warp, warps, rate, machine.greedy);
    stack.base.count += interval.repeats * here.base;
    stack.data.count += interval.repeats * here.data;
    stack.misses.count += interval.repeats * mean_batch_delay(interval.loads * warps, machine.outstanding_misses,
                                                              interval.miss_latency.count);
    stack.queue.count += interval.repeats * queue_wait(interval.shared_transfer.count * warps, interval.loads * warps,
                                                       here.base + here.data);
  }
  return stack;
}

CycleStack gcom(const std::vector<WarpInterval>& intervals, const IntervalMachine& machine) {
  const double sub_cores = std::min(machine.schedulers, machine.resident_warps);
  const double warps_of_sub_core = machine.resident_warps / sub_cores, warps = machine.resident_warps;
  const Representative warp = representative(intervals, machine.issue_interval.count);
  CycleStack stack;
  for (const WarpInterval& interval : intervals) {
    const Exposed here = exposed(interval, warp, warps_of_sub_core, 1 / machine.issue_interval.count, machine.greedy);
    stack.base.count += interval.repeats * here.base;
    stack.data.count += interval.repeats * here.data;
    stack.structural.count += interval.repeats * std::max(interval.longest_pipeline.count * warps - here.base, 0.0);
    const double batches = further_batches(interval.loads * warps, machine.outstanding_misses);
    const double at_once = batches > 0 ? machine.outstanding_misses / (interval.loads * warps) : 1;
    const double offered = interval.shared_transfer.count * warps * at_once;
    const bool long_queue = batches > 0 && offered > interval.miss_latency.count;
    const double queued = (long_queue ? 1 : 0.5) * offered;
    stack.queue.count += interval.repeats * queued;
    stack.misses.count += interval.repeats * batches * (interval.miss_latency.count + queued);
  }
  return stack;
}

}  // namespace warpipe
