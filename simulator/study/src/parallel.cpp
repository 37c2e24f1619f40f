#include "parallel.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <mutex>

namespace warpipe {
namespace {

/// An arena takes memory for each of its places, so an absurd number of threads is cut.
constexpr std::size_t kMostThreads = 1024;

int places(std::size_t threads) {
  return threads == 0 ? tbb::task_arena::automatic : static_cast<int>(std::min(threads, kMostThreads));
}

}  // namespace

void for_each_index(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& body,
                    const Progress& progress) {
  std::mutex mutex;
  std::size_t done = 0;
  const auto body_with_progress = [&](std::size_t index) {
    body(index);
    if (!progress) return;
    const std::scoped_lock lock(mutex);
    progress(++done, count);
  };
  tbb::task_arena arena(places(threads));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, body_with_progress); });
}

}  // namespace warpipe
