#include "warpipe/engine/residency.hpp"

#include "residency_observer.hpp"
#include "run_policy.hpp"

namespace warpipe {

Residency follow_groups(const Program& program, Ticks cycles, std::size_t buckets, Skipping leap) {
  ResidencyObserver observer(program.machine, cycles, buckets);
  run_policy(program, observer, leap != Skipping::Off);
  return observer.residency();
}

}  // namespace warpipe
