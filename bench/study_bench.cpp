// What it costs to read and lower a kernel, and to predict the points of a sweep on one core.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "shipped.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/predict/settle_launch.hpp"
#include "warpipe/sweep/sweep.hpp"

namespace warpipe {
namespace {

void BM_ReadKernel(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(shipped_kernel("mmul16"));
}
BENCHMARK(BM_ReadKernel)->Name("ReadKernel/mmul16")->Unit(benchmark::kMicrosecond);

void BM_ReadDevice(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(shipped_device("gtx1060"));
}
BENCHMARK(BM_ReadDevice)->Name("ReadDevice/gtx1060")->Unit(benchmark::kMicrosecond);

void BM_Lower(benchmark::State& state) {
  const Kernel kernel = shipped_kernel("mmul16");
  const Device device = shipped_device("gtx1060");
  for (auto _ : state) benchmark::DoNotOptimize(lowered(kernel, device, {}));
}
BENCHMARK(BM_Lower)->Name("Lower/mmul16")->Unit(benchmark::kMicrosecond);

/// The caches alone: a process keeps their answers.
void BM_Caches(benchmark::State& state, const std::string& kernel_name, const std::string& device_name) {
  const Kernel kernel = shipped_kernel(kernel_name);
  const SettledLaunch settled = settle_launch(kernel, shipped_device(device_name), {});
  const Launch& launch = settled.launch;
  const CacheLaunch seen{launch.values, launch.groups.value, launch.slots, launch.shared_memory_per_group, 1, false};
  double lines = 0;
  for (auto _ : state) lines = levels_from_addresses(kernel, settled.device, seen).lines;
  state.counters["a_line"] =
      benchmark::Counter(lines, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(BM_Caches, saxpy_gtx1060, "saxpy", "gtx1060")
    ->Name("Caches/saxpy/gtx1060")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Caches, saxpy_h100, "saxpy", "h100")->Name("Caches/saxpy/h100")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Caches, saxpy_mi300x, "saxpy", "mi300x")
    ->Name("Caches/saxpy/mi300x")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Caches, mmul16, "mmul16", "h100")->Name("Caches/mmul16/h100")->Unit(benchmark::kMillisecond);

void count_predictions(benchmark::State& state, std::size_t predictions) {
  state.counters["predictions"] =
      benchmark::Counter(static_cast<double>(predictions), benchmark::Counter::kIsIterationInvariantRate);
}

/// A sweep of mmul16 over concurrent groups and bank-conflict degree.
void BM_SweepMmul16(benchmark::State& state) {
  const Kernel kernel = shipped_kernel("mmul16");
  const Device device = shipped_device("gtx1060");
  LaunchOptions options;
  options.parameters["n"] = static_cast<double>(state.range(0));
  const std::vector variations{parse_variation("concurrent_groups=1:8", kernel, device),
                               parse_variation("conflict_degree=1:8:x2", kernel, device)};
  for (auto _ : state) benchmark::DoNotOptimize(run_sweep(kernel, device, options, variations, 1));
  count_predictions(state, number_of_points(variations));
}
BENCHMARK(BM_SweepMmul16)->Name("Sweep/mmul16")->ArgName("n")->Arg(128)->Arg(1024)->Unit(benchmark::kMillisecond);

struct Occupancies {
  const char* device;
  std::vector<std::int64_t> groups;  ///< that a use of shared memory can leave on a unit
};

/// The group sizes and occupancies of the paper: groups of 1 to 32 warps, throttled by shared memory, 34 launches on a
/// Tesla C2050 and 78 on a GTX 1060.
/// @source J. G. Cornelis, J. Lemeire, "The Pipeline Performance Model", PDP 2019
void BM_SweepOfThePaper(benchmark::State& state, const std::string& name) {
  const Kernel kernel = shipped_kernel(name);
  const std::vector<Occupancies> all{
      {"tesla_c2050", {1, 2, 3, 4, 5, 6, 7, 8}},
      {"gtx1060", {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 27, 29, 32}}};
  std::size_t predictions = 0;
  for (auto _ : state) {
    predictions = 0;
    for (const Occupancies& occupancies : all) {
      const Device device = shipped_device(occupancies.device);
      for (std::int64_t warps = 1; warps <= 32; warps *= 2) {
        for (const std::int64_t groups : occupancies.groups) {
          if (warps * groups > *device.limits.warps_per_unit) continue;
          LaunchOptions options;
          options.group_size = warps * device.warp_size;
          options.concurrent_groups = groups;
          benchmark::DoNotOptimize(predict(kernel, device, options));
          ++predictions;
        }
      }
    }
  }
  count_predictions(state, predictions);
}
BENCHMARK_CAPTURE(BM_SweepOfThePaper, fadd, "fadd")->Name("SweepOfThePaper/fadd")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_SweepOfThePaper, cos, "cos")->Name("SweepOfThePaper/cos")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_SweepOfThePaper, loop, "loop")->Name("SweepOfThePaper/loop")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_SweepOfThePaper, memory, "memory")->Name("SweepOfThePaper/memory")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpipe
