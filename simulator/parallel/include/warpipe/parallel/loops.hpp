#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

/// Loops over indices on several threads. In all functions, 0 threads mean all cores, and more threads than cores count
/// as all; an exception of a called function ends the loop and is passed to the caller.

namespace warpipe {

/// Called after each finished piece of work, from any thread, never by two threads at once.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

/// Calls `body` once for each index below `count`, on at most `threads` threads.
/// @param body      writes to the place of its index alone, so the order of the calls changes nothing
/// @param progress  called after each finished index, never by two threads at once
void for_each_index(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& body,
                    const Progress& progress);

namespace detail {

/// @return the number of threads to use
std::size_t threads_for(std::size_t threads);

/// @return the most results to wait for their turn, so a long piece of work does not hold up many short pieces
std::size_t most_waiting(std::size_t threads);

/// Calls `make` for each index from `first` below `end`, for several at a time, and `take` in the order of the indices,
/// one call at a time. At most `waiting` indices are made and not yet taken.
void run_in_order(std::size_t first, std::size_t end, std::size_t threads, std::size_t waiting,
                  const std::function<void(std::size_t)>& make, const std::function<void(std::size_t)>& take);

}  // namespace detail

/// Calls `make` once for each index from `first` below `end`, on at most `threads` threads, and hands its results to
/// `take` in the order of the indices, one call at a time. Only a limited number of results waits for its turn.
/// @param make  from an index to a result; called at the same time for several indices
/// @param take  may be called from any thread
template <class Make, class Take>
void for_each_in_order(std::size_t first, std::size_t end, std::size_t threads, const Make& make, const Take& take) {
  std::vector<std::optional<decltype(make(first))>> waiting(detail::most_waiting(threads));
  const auto keep = [&](std::size_t index) { waiting[index % waiting.size()] = make(index); };
  const auto hand_over = [&](std::size_t index) {
    auto& result = waiting[index % waiting.size()];
    take(std::move(*result));
    result.reset();
  };
  detail::run_in_order(first, end, threads, waiting.size(), keep, hand_over);
}

}  // namespace warpipe
