#include "warpipe/sweep/parallel.hpp"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <mutex>

namespace warpipe {
namespace {

/// More threads than cores bring nothing, and TBB complains on standard error where it is asked for them.
int threads_for(std::size_t threads) {
  const auto cores = static_cast<std::size_t>(tbb::info::default_concurrency());
  return static_cast<int>(threads == 0 ? cores : std::min(threads, cores));
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
  tbb::task_arena arena(threads_for(threads));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, body_with_progress); });
}

namespace detail {

std::size_t most_waiting(std::size_t threads) {
  constexpr std::size_t kResultsPerThread = 64;
  return kResultsPerThread * static_cast<std::size_t>(threads_for(threads));
}

/// The pipeline passes on nothing but indices: whatever else it holds when a function throws is lost without a
/// destructor.
void run_in_order(std::size_t first, std::size_t end, std::size_t threads, std::size_t waiting,
                  const std::function<void(std::size_t)>& make, const std::function<void(std::size_t)>& take) {
  std::size_t next = first;
  const auto hand_out = [&](tbb::flow_control& control) {
    if (next == end) control.stop();
    return next == end ? end : next++;
  };
  const auto make_and_pass_on = [&](std::size_t index) {
    make(index);
    return index;
  };
  using tbb::filter_mode;
  tbb::task_arena arena(threads_for(threads));
  arena.execute([&] {
    tbb::parallel_pipeline(waiting,
                           tbb::make_filter<void, std::size_t>(filter_mode::serial_in_order, hand_out) &
                               tbb::make_filter<std::size_t, std::size_t>(filter_mode::parallel, make_and_pass_on) &
                               tbb::make_filter<std::size_t, void>(filter_mode::serial_in_order, take));
  });
}

}  // namespace detail
}  // namespace warpipe
