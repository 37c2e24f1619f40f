// A tuner of somebody else: ranks the blocks of a kernel in PTX, without a GPU.
#include <algorithm>
#include <cstdio>

#include "warpipe/warpipe.hpp"

int main(int, char** arguments) try {
  constexpr std::int64_t kThreads = 1 << 20;
  const std::vector<std::int64_t> blocks{32, 64, 128, 256, 512, 1024, 2048};
  const auto device = warpipe::open_device("h100");
  const auto attempts = warpipe::predict_all(blocks.size(), [&](std::size_t index) {
    warpipe::ImportRequest request;
    request.launch.entry = "saxpy";
    request.launch.block = {blocks[index], 1, 1};
    request.launch.grid = {kThreads / blocks[index], 1, 1};
    request.launch.arguments = {{"n", std::to_string(kThreads)}};
    const auto imported = warpipe::import_kernel(arguments[1], request, device);
    return warpipe::predict(imported.kernel, device, {});
  });
  std::vector<std::size_t> ranked;
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    if (attempts[index].prediction)
      ranked.push_back(index);
    else
      std::printf("%ld cannot run: %s\n", long{blocks[index]}, attempts[index].problems.front().problem.c_str());
  }
  std::ranges::stable_sort(ranked, {}, [&](auto index) { return attempts[index].prediction->time; });
  for (const auto index : ranked)
    std::printf("%ld %.4g s\n", long{blocks[index]}, attempts[index].prediction->time.count);
} catch (const warpipe::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
