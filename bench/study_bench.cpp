// What it costs to read and lower a kernel, and to predict the points of a sweep.

#include <benchmark/benchmark.h>

#include <cstdint>

#include "shipped.hpp"
#include "warpipe/study/lower.hpp"
#include "warpipe/study/predict.hpp"

namespace warpipe {
namespace {

void BM_ReadKernel(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(shipped_kernel("mmul16"));
}
BENCHMARK(BM_ReadKernel)->Unit(benchmark::kMicrosecond);

void BM_ReadDevice(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(shipped_device("gtx1060"));
}
BENCHMARK(BM_ReadDevice)->Unit(benchmark::kMicrosecond);

void BM_Lower(benchmark::State& state) {
  const Kernel kernel = shipped_kernel("mmul16");
  const Device device = shipped_device("gtx1060");
  const Launch launch = resolve_launch(kernel, device, {});
  for (auto _ : state) benchmark::DoNotOptimize(lower(kernel, device, launch, {}));
}
BENCHMARK(BM_Lower)->Unit(benchmark::kMicrosecond);

/// Predictions of a sweep over concurrent groups and bank-conflict degree.
void BM_PredictMmul16(benchmark::State& state) {
  const Kernel kernel = shipped_kernel("mmul16");
  const Device device = shipped_device("gtx1060");
  std::int64_t predictions = 0;
  for (auto _ : state)
    for (std::int64_t groups = 1; groups <= 8; ++groups)
      for (const double degree : {1.0, 2.0}) {
        LaunchOptions options;
        options.parameters = {{"n", static_cast<double>(state.range(0))}, {"conflict_degree", degree}};
        options.concurrent_groups = groups;
        benchmark::DoNotOptimize(predict(kernel, device, options));
        ++predictions;
      }
  state.counters["predictions"] = benchmark::Counter(static_cast<double>(predictions), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_PredictMmul16)->Arg(128)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpipe
