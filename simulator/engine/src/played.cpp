#include "warpipe/engine/played.hpp"

#include <atomic>

namespace warpipe {
namespace {

std::atomic<std::int64_t> issued_so_far = 0, skipped_so_far = 0;

}  // namespace

Played played_so_far() { return {issued_so_far, skipped_so_far}; }

void PlayedCounter::add(std::int64_t issued, std::int64_t skipped) {
  const Played now{issued - skipped, skipped};
  issued_so_far += now.issued - told_.issued;
  skipped_so_far += now.skipped - told_.skipped;
  told_ = now;
  next_ = issued + kStep;
}

}  // namespace warpipe
