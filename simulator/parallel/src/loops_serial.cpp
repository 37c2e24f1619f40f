#include "warpipe/parallel/loops.hpp"

/// The loops for a single thread, as in a web page.

namespace warpipe {

void for_each_index(std::size_t count, std::size_t /*threads*/, const std::function<void(std::size_t)>& body,
                    const Progress& progress) {
  for (std::size_t index = 0; index < count; ++index) {
    body(index);
    if (progress) progress(index + 1, count);
  }
}

namespace detail {

std::size_t most_waiting(std::size_t /*threads*/) { return 1; }

void run_in_order(std::size_t first, std::size_t end, std::size_t /*threads*/, std::size_t /*waiting*/,
                  const std::function<void(std::size_t)>& make, const std::function<void(std::size_t)>& take) {
  for (std::size_t index = first; index < end; ++index) {
    make(index);
    take(index);
  }
}

}  // namespace detail
}  // namespace warpipe
