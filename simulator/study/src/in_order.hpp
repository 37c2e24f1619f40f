#pragma once

#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>
#include <utility>

#include "parallel.hpp"

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
  constexpr std::size_t kResultsAThread = 64;  // so that one long piece of work holds up none that is short
  const int places = places_for(threads);
  tbb::task_arena arena(places);
  std::size_t next = first;
  const auto hand_out = [&](tbb::flow_control& control) {
    if (next == end) control.stop();
    return next == end ? end : next++;
  };
  using tbb::filter_mode;
  arena.execute([&] {
    tbb::parallel_pipeline(kResultsAThread * static_cast<std::size_t>(places),
                           tbb::make_filter<void, std::size_t>(filter_mode::serial_in_order, hand_out) &
                               tbb::make_filter<std::size_t, Result>(filter_mode::parallel, make) &
                               tbb::make_filter<Result, void>(filter_mode::serial_in_order, take));
  });
}

}  // namespace warpipe
