#include "warpipe/parallel/loops.hpp"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "warpipe/engine/stopping.hpp"
#include "warpipe/parallel/desk.hpp"

namespace warpipe {

void for_each_index(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& body,
                    const Progress& progress) {
  std::mutex mutex;
  std::size_t done = 0;
  const auto body_with_progress = [&, stop = stop_flag()](std::size_t index) {
    const StoppableBy stoppable(stop);
    end_if_stopped();
    body(index);
    if (!progress) return;
    const std::scoped_lock lock(mutex);
    progress(++done, count);
  };
  tbb::task_arena arena(static_cast<int>(detail::threads_for(threads)));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, body_with_progress); });
}

namespace detail {

/// More threads than cores bring nothing, and TBB complains on standard error where it is asked for them.
std::size_t threads_for(std::size_t threads) {
  const auto cores = static_cast<std::size_t>(tbb::info::default_concurrency());
  return threads == 0 ? cores : std::min(threads, cores);
}

std::size_t most_waiting(std::size_t threads) {
  constexpr std::size_t kResultsPerThread = 64;
  return kResultsPerThread * threads_for(threads);
}

void run_in_order(std::size_t first, std::size_t end, std::size_t threads, std::size_t waiting,
                  const std::function<void(std::size_t)>& make, const std::function<void(std::size_t)>& take) {
  Desk desk({first, end}, {.window = waiting}, take);
  const auto make_wanted = [&](std::size_t index) {
    end_if_stopped();
    make(index);
  };
  const auto workers = std::min(threads_for(threads), std::max<std::size_t>(end - first, 1));
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < workers; ++i)
      others.emplace_back([&, i, stop = stop_flag()] {
        const StoppableBy stoppable(stop);
        work_at(desk, i, make_wanted);
      });
    work_at(desk, 0, make_wanted);
  }
  desk.rethrow();
}

}  // namespace detail
}  // namespace warpipe
