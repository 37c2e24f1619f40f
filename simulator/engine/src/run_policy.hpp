#pragma once

#include "warpipe/engine/engine.hpp"
#include "warpipe/engine/policies/first_ready.hpp"
#include "warpipe/engine/policies/greedy_oldest.hpp"
#include "warpipe/engine/policies/oldest.hpp"
#include "warpipe/engine/policies/round_robin.hpp"

namespace warpipe {

/// Plays a program, all of its units, under its own policy.
template <class Listener>
RunResult run_policy(const Program& program, Listener& listener, bool leap) {
  switch (program.machine.policy) {
    case Policy::FirstReady:
      break;
    case Policy::Oldest:
      return Engine<Oldest, Listener>(program, listener, leap).run();
    case Policy::GreedyOldest:
      return Engine<GreedyOldest, Listener>(program, listener, leap).run();
    case Policy::RoundRobin:
      return Engine<RoundRobin, Listener>(program, listener, leap).run();
  }
  return Engine<FirstReady, Listener>(program, listener, leap).run();
}

}  // namespace warpipe
