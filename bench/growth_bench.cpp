// How the cost of unusual sizes grows: many warps on a unit, many units on one pipeline, long bodies. CostOf... of a
// size should be linear, or linear and a logarithm.

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "shipped.hpp"
#include "simulating.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {
namespace {

using benchmark::oAuto;

Kernel kernel_of(const std::string& body, std::int64_t threads, std::int64_t groups, std::int64_t concurrent_groups) {
  return read_kernel_json(
      fmt::format(R"({{"format": "warpipe-kernel", "version": 1, "name": "growth", "launch": {{"group_size": {},
                       "groups": {}, "concurrent_groups": {}}}, "body": [{}]}})",
                  threads, groups, concurrent_groups, body),
      "growth");
}

Device device_of(std::int64_t units, Policy policy) {
  Device device = read_device_json(
      fmt::format(R"({{"format": "warpipe-device", "version": 1, "name": "growth", "compute_units": {}, "clock_hz": 1e9,
                       "warp_size": 32, "pipelines": {{"alu": {{}}, "dram": {{"scope": "device"}}}},
                       "ops": {{"ffma": {{"pipeline": "alu", "issue": 1, "completion": 4}},
                                "slow": {{"pipeline": "alu", "issue": 0, "completion": 1000000}},
                                "load": {{"pipeline": "dram", "issue": 2, "completion": 100}}}}}})",
                  units),
      "growth");
  device.policy = policy;
  return device;
}

/// Against the warps of one group on one unit. Every other warp waits long, so that the others overtake it.
void BM_WarpsOfAUnit(benchmark::State& state, Policy policy) {
  const Kernel kernel = kernel_of(
      R"json({"when": "mod(warp, 2)", "body": [{"id": "wait", "op": "slow"}]},
             {"id": "a", "op": "ffma", "after": ["wait"]}, {"id": "b", "op": "ffma", "after": ["a"]})json",
      32 * state.range(0), 1, 1);
  simulate_repeatedly(state, lowered(kernel, device_of(1, policy), {}), Skipping::On);
  state.SetComplexityN(state.range(0));
}
#define WARPS_OF_A_UNIT(name, policy)                      \
  BENCHMARK_CAPTURE(BM_WarpsOfAUnit, name, Policy::policy) \
      ->Name("CostOfWarpsOfAUnit/" #name)                  \
      ->RangeMultiplier(4)                                 \
      ->Range(1 << 10, 1 << 16)                            \
      ->Complexity(oAuto)
WARPS_OF_A_UNIT(first_ready, FirstReady);
WARPS_OF_A_UNIT(oldest, Oldest);
WARPS_OF_A_UNIT(greedy_oldest, GreedyOldest);
WARPS_OF_A_UNIT(round_robin, RoundRobin);
#undef WARPS_OF_A_UNIT

/// Against the units that share one pipeline, all simulated, one warp each.
void BM_UnitsOfAPipeline(benchmark::State& state) {
  const Kernel kernel =
      kernel_of(R"({"id": "a", "op": "load"}, {"id": "b", "op": "ffma", "after": ["a"]})", 32, state.range(0), 1);
  LaunchOptions options;
  options.units = Units::All;
  simulate_repeatedly(state, lowered(kernel, device_of(state.range(0), Policy::FirstReady), options), Skipping::On);
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_UnitsOfAPipeline)
    ->Name("CostOfUnitsOfAPipeline")
    ->RangeMultiplier(4)
    ->Range(1 << 8, 1 << 14)
    ->Complexity(oAuto);

/// Against groups without instructions.
void BM_EmptyGroups(benchmark::State& state) {
  const Kernel kernel = kernel_of(R"({"when": "0", "body": [{"id": "a", "op": "ffma"}]})", 32, state.range(0), 4);
  const Program program = lowered(kernel, device_of(1, Policy::FirstReady), {});
  for (auto _ : state) benchmark::DoNotOptimize(simulate(program, Skipping::On));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_EmptyGroups)->Name("CostOfEmptyGroups")->RangeMultiplier(32)->Range(1 << 10, 1 << 30)->Complexity(oAuto);

/// Against the instructions of a body: reading it, and everything up to the prediction.
void predict_body(benchmark::State& state, const std::string& body) {
  const Device device = device_of(1, Policy::FirstReady);
  for (auto _ : state) benchmark::DoNotOptimize(predict(kernel_of(body, 32, 1, 1), device, {}));
  state.SetComplexityN(state.range(0));
}

void BM_LongBody(benchmark::State& state) {
  std::string body = R"({"id": "i0", "op": "ffma"})";
  for (std::int64_t i = 1; i < state.range(0); ++i)
    body += fmt::format(R"(, {{"id": "i{}", "op": "ffma", "after": ["i{}"]}})", i, i - 1);
  predict_body(state, body);
}
BENCHMARK(BM_LongBody)->Name("CostOfBody")->RangeMultiplier(4)->Range(1 << 10, 1 << 16)->Complexity(oAuto);

void BM_ManyLoops(benchmark::State& state) {
  std::string body;
  for (std::int64_t i = 0; i < state.range(0); ++i)
    body += fmt::format(R"({}{{"loop": "l{}", "trip_count": 100, "body": [{{"id": "i{}", "op": "ffma"}}]}})",
                        i == 0 ? "" : ", ", i, i);
  predict_body(state, body);
}
BENCHMARK(BM_ManyLoops)->Name("CostOfLoops")->RangeMultiplier(4)->Range(1 << 10, 1 << 16)->Complexity(oAuto);

}  // namespace
}  // namespace warpipe
