#pragma once

#include "warpipe/engine/engine.hpp"
#include "warpipe/engine/policies/first_ready.hpp"
#include "warpipe/engine/policies/greedy_oldest.hpp"
#include "warpipe/engine/policies/oldest.hpp"
#include "warpipe/engine/policies/round_robin.hpp"

namespace warpipe {

/// Plays a program, all of its units, under its own policy.
template <class Observer>
RunResult run_policy(const Program& program, Observer& observer, bool leap) {
  switch (program.machine.policy) {
    case Policy::FirstReady:
      break;
    case Policy::Oldest:
      return Engine<Oldest, Observer>(program, observer, leap).run();
    case Policy::GreedyOldest:
      return Engine<GreedyOldest, Observer>(program, observer, leap).run();
    case Policy::RoundRobin:
      return Engine<RoundRobin, Observer>(program, observer, leap).run();
  }
  return Engine<FirstReady, Observer>(program, observer, leap).run();
}

}  // namespace warpipe
