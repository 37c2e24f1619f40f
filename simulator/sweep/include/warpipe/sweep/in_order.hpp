#pragma once

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "warpipe/sweep/parallel.hpp"

namespace warpipe {

/// Calls `make` once for each index from `first` below `end`, on at most `threads` threads, and hands what it makes to
/// `take` in the order of the indices, one call at a time. Only a limited number of results waits for its turn.
/// @param threads  0: all cores; more than cores counts as all
/// @param make     from an index to a result; called at the same time for several indices
/// @param take     may be called from any thread
/// What either throws ends the loop and goes on to the caller.
template <class Make, class Take>
void for_each_in_order(std::size_t first, std::size_t end, std::size_t threads, const Make& make, const Take& take) {
  using Result = decltype(make(first));
  constexpr std::size_t kResultsPerThread = 64;  // so that one long piece of work holds up none that is short
  const int places = places_for(threads);
  const std::size_t most = kResultsPerThread * static_cast<std::size_t>(places);
  // The pipeline itself passes on nothing but indices: what it holds when something is thrown is lost without a
  // destructor.
  std::vector<std::optional<Result>> waiting(most);
  tbb::task_arena arena(places);
  std::size_t next = first;
  const auto hand_out = [&](tbb::flow_control& control) {
    if (next == end) control.stop();
    return next == end ? end : next++;
  };
  const auto keep = [&](std::size_t index) {
    waiting[index % most] = make(index);
    return index;
  };
  const auto hand_over = [&](std::size_t index) {
    take(std::move(*waiting[index % most]));
    waiting[index % most].reset();
  };
  using tbb::filter_mode;
  arena.execute([&] {
    tbb::parallel_pipeline(most, tbb::make_filter<void, std::size_t>(filter_mode::serial_in_order, hand_out) &
                                     tbb::make_filter<std::size_t, std::size_t>(filter_mode::parallel, keep) &
                                     tbb::make_filter<std::size_t, void>(filter_mode::serial_in_order, hand_over));
  });
}

}  // namespace warpipe
