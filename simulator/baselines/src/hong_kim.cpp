#include "warpipe/baselines/hong_kim.hpp"

#include <algorithm>
#include <cassert>

namespace warpipe {
namespace {

/// The cycles of a warp, by activity.
struct Periods {
  double memory = 0, computation = 0;
  double loads = 0;
};

double execution_of(const HongKimInput& input, const HongKimResult& result, const Periods& periods) {
  const double one_computation = periods.computation / periods.loads;
  switch (result.which) {
    case HongKimCase::EnoughWarps:
      return periods.memory + periods.computation + one_computation * (result.mwp - 1);
    case HongKimCase::MemoryBound:
      return periods.memory * input.resident_warps / result.mwp + one_computation * (result.mwp - 1);
    case HongKimCase::ComputeBound:
      return result.memory_period.count + periods.computation * input.resident_warps;
  }
  return 0;
}

HongKimCase case_of(const HongKimInput& input, const HongKimResult& result, const Periods& periods) {
  if (result.mwp >= input.resident_warps && result.cwp >= input.resident_warps) return HongKimCase::EnoughWarps;
  if (result.cwp >= result.mwp || periods.computation > periods.memory) return HongKimCase::MemoryBound;
  return HongKimCase::ComputeBound;
}

}  // namespace

HongKimResult hong_kim(const HongKimInput& input) {
  const double loads = input.coalesced_loads + input.uncoalesced_loads;
  assert(loads > 0);
  const double uncoalesced = input.uncoalesced_loads / loads, coalesced = input.coalesced_loads / loads;
  const double uncoalesced_latency =
      input.memory_latency.count + (input.uncoalesced_transactions - 1) * input.uncoalesced_departure.count;

  HongKimResult result;
  result.memory_period.count = uncoalesced_latency * uncoalesced + input.memory_latency.count * coalesced;
  result.departure_delay.count = input.uncoalesced_departure.count * input.uncoalesced_transactions * uncoalesced +
                                 input.coalesced_departure.count * coalesced;
  result.mwp_without_bandwidth = result.memory_period.count / result.departure_delay.count;
  const double bytes_per_second = input.clock.count * input.bytes_per_load / result.memory_period.count;
  result.mwp_peak_bandwidth = input.bandwidth.count / (bytes_per_second * input.active_units);
  result.mwp = std::min({result.mwp_without_bandwidth, result.mwp_peak_bandwidth, input.resident_warps});

  const Periods periods{
      uncoalesced_latency * input.uncoalesced_loads + input.memory_latency.count * input.coalesced_loads,
      input.issue_cycles.count * (input.computation_instructions + loads), loads};
  result.cwp = std::min((periods.memory + periods.computation) / periods.computation, input.resident_warps);
  result.which = case_of(input, result, periods);
  result.execution.count = execution_of(input, result, periods) * input.repetitions;
  result.synchronization.count =
      result.departure_delay.count * (result.mwp - 1) * input.barriers * input.resident_groups * input.repetitions;
  result.total.count = result.execution.count + result.synchronization.count;
  return result;
}

}  // namespace warpipe
