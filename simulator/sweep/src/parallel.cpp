#include "warpipe/sweep/parallel.hpp"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <mutex>

namespace warpipe {

/// More threads than cores bring nothing, and TBB complains on standard error where it is asked for them.
int places_for(std::size_t threads) {
  const auto cores = static_cast<std::size_t>(tbb::info::default_concurrency());
  return static_cast<int>(threads == 0 ? cores : std::min(threads, cores));
}

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
  tbb::task_arena arena(places_for(threads));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, body_with_progress); });
}

}  // namespace warpipe
