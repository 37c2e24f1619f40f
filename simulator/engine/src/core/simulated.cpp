#include "warpipe/engine/simulated.hpp"

#include <atomic>

#include "core/simulated_counter.hpp"
#include "warpipe/engine/stopping.hpp"

namespace warpipe {
namespace {

std::atomic<std::int64_t> issued_so_far = 0, skipped_so_far = 0;

}  // namespace

SimulatedInstructions simulated_so_far() { return {issued_so_far, skipped_so_far}; }

void SimulatedCounter::note_step(std::int64_t issued, std::int64_t skipped) {
  add(issued, skipped);
  is_over_ = issued - skipped > most_;
  end_if_stopped();
}

void SimulatedCounter::add(std::int64_t issued, std::int64_t skipped) {
  const SimulatedInstructions now{issued - skipped, skipped};
  issued_so_far += now.issued - added_.issued;
  skipped_so_far += now.skipped - added_.skipped;
  added_ = now;
  next_ = issued + kStep;
}

}  // namespace warpipe
