// What one issued warp instruction costs, beside the cost of one pop and push on a std::priority_queue that holds as
// many entries as there are warps: a yardstick that holds on any machine.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include "shipped.hpp"
#include "warpipe/engine/run.hpp"
#include "warpipe/study/launch.hpp"
#include "warpipe/study/lower.hpp"

namespace warpipe {
namespace {

Program lowered(const std::string& kernel_name, const std::string& device_name, const LaunchOptions& options) {
  const Kernel kernel = with_options(shipped_kernel(kernel_name), options);
  const Device device = with_options(shipped_device(device_name), options);
  return lower(kernel, device, resolve_launch(kernel, device, options), options);
}

void run_and_count(benchmark::State& state, const Program& program, Leap leap) {
  std::int64_t issued = 0;
  for (auto _ : state) issued += run(program, leap).issued;
  state.counters["instructions"] = benchmark::Counter(static_cast<double>(issued), benchmark::Counter::kIsRate);
  state.counters["time_an_instruction"] =
      benchmark::Counter(static_cast<double>(issued), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// Chains of dependent adds, one group of so many warps.
void BM_IssueFadd(benchmark::State& state) {
  LaunchOptions options;
  options.group_size = 32;
  options.groups = 10 * state.range(0);
  options.concurrent_groups = state.range(0);
  options.ignore_limits = true;
  run_and_count(state, lowered("fadd", "gtx1060", options), Leap::Off);
}
BENCHMARK(BM_IssueFadd)->Arg(1)->Arg(8)->Arg(32)->Arg(48)->Arg(64)->Unit(benchmark::kMillisecond);

/// The tiled matrix multiplication, so many resident warps.
void BM_IssueMmul16(benchmark::State& state) {
  LaunchOptions options;
  options.parameters["n"] = 256;
  options.concurrent_groups = state.range(0) / 8;
  run_and_count(state, lowered("mmul16", "gtx1060", options), Leap::Off);
}
BENCHMARK(BM_IssueMmul16)->Arg(8)->Arg(32)->Arg(48)->Arg(64)->Unit(benchmark::kMillisecond);

void BM_IssueSaxpy(benchmark::State& state) {
  LaunchOptions options;
  options.concurrent_groups = state.range(0) / 8;
  run_and_count(state, lowered("saxpy", "gtx1060", options), Leap::Off);
}
BENCHMARK(BM_IssueSaxpy)->Arg(8)->Arg(32)->Arg(64)->Unit(benchmark::kMillisecond);

/// The cost against trip counts, with leaping: one group of fadd chains, 2^10 to 2^30 trips of its loop.
void BM_LeapFaddTrips(benchmark::State& state) {
  LaunchOptions options;
  options.groups = 1;
  options.parameters["trips"] = static_cast<double>(state.range(0));
  run_and_count(state, lowered("fadd", "gtx1060", options), Leap::On);
}
BENCHMARK(BM_LeapFaddTrips)->RangeMultiplier(1024)->Range(1 << 10, 1 << 30)->Unit(benchmark::kMicrosecond);

/// The cost against the size of the matrices, with leaping, two resident groups.
void BM_LeapMmul16Size(benchmark::State& state) {
  LaunchOptions options;
  options.concurrent_groups = 2;
  options.parameters["n"] = static_cast<double>(state.range(0));
  run_and_count(state, lowered("mmul16", "gtx1060", options), Leap::On);
}
BENCHMARK(BM_LeapMmul16Size)->RangeMultiplier(4)->Range(1024, 16384)->Unit(benchmark::kMicrosecond);

/// The hold model: take the earliest entry, put it back a random time later.
void BM_PriorityQueuePopPush(benchmark::State& state) {
  using Entry = std::pair<std::int64_t, std::uint32_t>;
  std::minstd_rand random(1);
  std::vector<std::int64_t> delays(4096);
  for (std::int64_t& delay : delays) delay = static_cast<std::int64_t>(random() % 400'000);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(state.range(0)); ++i) queue.emplace(delays[i], i);
  std::size_t next = 0;
  for (auto _ : state) {
    const Entry first = queue.top();
    queue.pop();
    queue.emplace(first.first + delays[next++ % delays.size()], first.second);
  }
  benchmark::DoNotOptimize(queue.top());
}
BENCHMARK(BM_PriorityQueuePopPush)->Arg(8)->Arg(32)->Arg(48)->Arg(64);

}  // namespace
}  // namespace warpipe
