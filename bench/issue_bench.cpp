// What one issued warp instruction costs: every shipped kernel at 1 to 64 resident warps, skipping off and on, beside
// one pop and push on a std::priority_queue that holds as many entries as there are warps, a yardstick that holds on
// any machine.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "shipped.hpp"
#include "simulating.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kWarps[] = {1, 8, 32, 48, 64};
constexpr std::int64_t kWavesOfGroups = 2;

/// Groups as large as the kernel has them, smaller ones where they would be more warps than wanted; two waves of them.
Program with_resident_warps(const std::string& name, std::int64_t warps) {
  const Kernel kernel = shipped_kernel(name);
  const Device device = shipped_device("gtx1060");
  LaunchOptions options;
  options.ignore_limits = true;
  if (name == "pointer_chase") options.parameters["laps"] = 1;  // of a thousand, each as long as other kernels
  if (!kernel.launch.group_size) options.group_size = device.warp_size;
  const std::int64_t own_warps = resolve_launch(kernel, device, options).warps_per_group;
  const std::int64_t warps_per_group = std::min(warps, own_warps);
  options.group_size = warps_per_group * device.warp_size;
  options.concurrent_groups = warps / warps_per_group;
  options.groups = kWavesOfGroups * *options.concurrent_groups * device.compute_units;
  return lowered(kernel, device, options);
}

void register_issues_of(const std::string& name, std::int64_t warps) {
  const Program program = with_resident_warps(name, warps);
  for (const Skipping skipping : {Skipping::Off, Skipping::On}) {
    const auto title = fmt::format("Issue/{}/warps:{}/skipping:{}", name, warps, to_string(skipping));
    const auto issue = [program, skipping](benchmark::State& state) { simulate_repeatedly(state, program, skipping); };
    benchmark::RegisterBenchmark(title.c_str(), issue)->Unit(benchmark::kMillisecond);
  }
}

/// What makes no model on that device is said and left out.
void register_issues() {
  for (const std::string& name : shipped_kernels()) {
    try {
      for (const std::int64_t warps : kWarps) register_issues_of(name, warps);
    } catch (const Error& error) {
      fmt::print(stderr, "Issue/{} is left out: {}\n", name, error.what());
    }
  }
}

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
BENCHMARK(BM_PriorityQueuePopPush)
    ->Name("PriorityQueuePopPush")
    ->ArgName("entries")
    ->Arg(1)
    ->Arg(8)
    ->Arg(32)
    ->Arg(48)
    ->Arg(64);

}  // namespace
}  // namespace warpipe

/// What the command line says of the time to measure comes later and wins.
int main(int argc, char** argv) {
  char short_runs[] = "--benchmark_min_time=0.1";
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, short_runs);
  argc = static_cast<int>(arguments.size());
  argv = arguments.data();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  warpipe::register_issues();
  benchmark::RunSpecifiedBenchmarks();
}
