#include "warpipe/baselines/volkov.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "warpipe/baselines/littles_law.hpp"

namespace warpipe {
namespace {

Cycles latency_of(const Mix& mix) { return {mix.memory_latency.count + mix.additions * mix.add_latency.count}; }

/// Cycles of a unit for a load and its additions.
Cycles interval_of(const Mix& mix) {
  return std::max({mix.memory_interval, Cycles{mix.additions * mix.add_interval.count},
                   Cycles{(mix.additions + 1) * mix.issue_interval.count}});
}

}  // namespace

Cycles functional_unit_bound(double instructions, double warp_size, double lanes) {
  assert(lanes > 0);
  return {instructions * warp_size / lanes};
}

Cycles issue_bound(double issues, double schedulers) {
  assert(schedulers > 0);
  return {issues / schedulers};
}

Cycles shared_memory_bound(std::span<const int> conflict_degrees) {
  double cycles = 0;
  for (const int degree : conflict_degrees) cycles += degree;
  return {cycles};
}

Cycles global_memory_bound(double moved, double a_cycle) {
  assert(a_cycle > 0);
  return {moved / a_cycle};
}

double warp_throughput(double warps, Cycles latency_bound, Cycles throughput_bound) {
  assert(latency_bound.count > 0);
  const double unlimited = std::numeric_limits<double>::infinity();
  return std::min(warps / latency_bound.count, throughput_bound.count > 0 ? 1 / throughput_bound.count : unlimited);
}

Cycles barrier_opens(std::span<const Cycles> arrivals, Cycles barrier_latency) {
  assert(!arrivals.empty());
  return {std::ranges::max(arrivals).count + barrier_latency.count};
}

double mix_throughput(const Mix& mix, double warps) {
  return warp_throughput(warps, latency_of(mix), interval_of(mix));
}

double mix_warps_needed(const Mix& mix) { return warps_needed(latency_of(mix), interval_of(mix)); }

Cusp mix_cusp(const Mix& mix) {
  assert(mix.add_interval.count > 0);
  return {mix.memory_interval.count / mix.add_interval.count,
          warps_needed(mix.add_latency, mix.add_interval) + warps_needed(mix.memory_latency, mix.memory_interval)};
}

}  // namespace warpipe
