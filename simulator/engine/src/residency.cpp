#include "warpipe/engine/residency.hpp"

#include "residency_listener.hpp"
#include "run_policy.hpp"

namespace warpipe {

Residency follow_groups(const Program& program, Ticks cycles, std::size_t buckets, Leap leap) {
  ResidencyListener listener(program.machine, cycles, buckets);
  run_policy(program, listener, leap != Leap::Off);
  return listener.residency();
}

}  // namespace warpipe
