// How the cost of a run grows with each size of its launch, with the fitted complexity.

#include <cstdint>

#include "shipped.hpp"
#include "simulating.hpp"

namespace warpipe {
namespace {

using benchmark::oAuto;

LaunchOptions one_group_of_chains(std::int64_t trips) {
  LaunchOptions options;
  options.groups = 1;
  options.parameters["trips"] = static_cast<double>(trips);
  return options;
}

/// Against the trips of a loop: one group of fadd chains.
void BM_Trips(benchmark::State& state, Skipping skipping) {
  simulate_repeatedly(
      state, lowered(shipped_kernel("fadd"), shipped_device("gtx1060"), one_group_of_chains(state.range(0))), skipping);
  state.SetComplexityN(state.range(0));
}
BENCHMARK_CAPTURE(BM_Trips, skipping_off, Skipping::Off)
    ->Name("CostOfTrips/skipping:off")
    ->RangeMultiplier(4)
    ->Range(1 << 4, 1 << 12)
    ->Complexity(oAuto);
BENCHMARK_CAPTURE(BM_Trips, skipping_on, Skipping::On)
    ->Name("CostOfTrips/skipping:on")
    ->RangeMultiplier(32)
    ->Range(1 << 10, 1 << 30)
    ->Complexity(oAuto);

/// Against all that the size of the matrices multiplies, trips and groups.
void BM_MatrixSize(benchmark::State& state, std::int64_t concurrent_groups, Skipping skipping) {
  LaunchOptions options;
  options.concurrent_groups = concurrent_groups;
  options.parameters["n"] = static_cast<double>(state.range(0));
  simulate_repeatedly(state, lowered(shipped_kernel("mmul16"), shipped_device("gtx1060"), options), skipping);
  state.SetComplexityN(state.range(0));
}
BENCHMARK_CAPTURE(BM_MatrixSize, one_group, 1, Skipping::On)
    ->Name("CostOfMatrixSize/concurrent_groups:1/skipping:on")
    ->RangeMultiplier(2)
    ->Range(1024, 16384)
    ->Complexity(oAuto);
// Full occupancy.
BENCHMARK_CAPTURE(BM_MatrixSize, skipping_off, 8, Skipping::Off)
    ->Name("CostOfMatrixSize/concurrent_groups:8/skipping:off")
    ->Arg(1024);
BENCHMARK_CAPTURE(BM_MatrixSize, skipping_on, 8, Skipping::On)
    ->Name("CostOfMatrixSize/concurrent_groups:8/skipping:on")
    ->Arg(1024);

/// Against groups, of which eight are resident at a time.
void BM_Groups(benchmark::State& state, Skipping skipping) {
  const Device device = shipped_device("gtx1060");
  LaunchOptions options;
  options.groups = state.range(0) * device.compute_units;
  simulate_repeatedly(state, lowered(shipped_kernel("saxpy"), device, options), skipping);
  state.SetComplexityN(state.range(0));
}
BENCHMARK_CAPTURE(BM_Groups, skipping_off, Skipping::Off)
    ->Name("CostOfGroups/skipping:off")
    ->RangeMultiplier(4)
    ->Range(16, 4096)
    ->Complexity(oAuto);
BENCHMARK_CAPTURE(BM_Groups, skipping_on, Skipping::On)
    ->Name("CostOfGroups/skipping:on")
    ->RangeMultiplier(4)
    ->Range(16, 1 << 20)
    ->Complexity(oAuto);

/// Against the units of a device, all simulated: 8 groups each and a tail of one more on half of them.
void BM_Units(benchmark::State& state, Skipping skipping) {
  Device device = shipped_device("gtx1060");
  device.compute_units = state.range(0);
  LaunchOptions options;
  options.units = Units::All;
  options.concurrent_groups = 4;
  options.groups = 8 * state.range(0) + state.range(0) / 2;
  simulate_repeatedly(state, lowered(shipped_kernel("saxpy"), device, options), skipping);
  state.SetComplexityN(state.range(0));
}
BENCHMARK_CAPTURE(BM_Units, skipping_off, Skipping::Off)
    ->Name("CostOfUnits/skipping:off")
    ->RangeMultiplier(4)
    ->Range(1, 256)
    ->Complexity(oAuto);
BENCHMARK_CAPTURE(BM_Units, skipping_on, Skipping::On)
    ->Name("CostOfUnits/skipping:on")
    ->RangeMultiplier(4)
    ->Range(1, 256)
    ->Complexity(oAuto);

/// Against resident warps, each in a group of its own; each issues the same.
void BM_Warps(benchmark::State& state, Skipping skipping) {
  const Device device = shipped_device("gtx1060");
  LaunchOptions options;
  options.ignore_limits = true;
  options.group_size = device.warp_size;
  options.concurrent_groups = state.range(0);
  options.groups = 2 * state.range(0) * device.compute_units;
  simulate_repeatedly(state, lowered(shipped_kernel("fadd"), device, options), skipping);
  state.SetComplexityN(state.range(0));
}
BENCHMARK_CAPTURE(BM_Warps, skipping_off, Skipping::Off)
    ->Name("CostOfWarps/skipping:off")
    ->RangeMultiplier(4)
    ->Range(1, 256)
    ->Complexity(oAuto);
BENCHMARK_CAPTURE(BM_Warps, skipping_on, Skipping::On)
    ->Name("CostOfWarps/skipping:on")
    ->RangeMultiplier(4)
    ->Range(1, 256)
    ->Complexity(oAuto);

}  // namespace
}  // namespace warpipe
