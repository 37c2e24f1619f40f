#pragma once

#include <cstddef>

#include "core/engine.hpp"
#include "policies.hpp"

namespace warpipe {

template <class Observer, class... Rules>
SimulationResult run_policy(PolicyList<Rules...>, const Program& program, Observer& observer, bool skipping) {
  SimulationResult result;
  std::size_t left = static_cast<std::size_t>(program.machine.policy);
  const auto run = [&]<class Rule>(PolicyList<Rule>) {
    if (left-- != 0) return false;
    result = Engine<Rule, Observer>(program, observer, skipping).run();
    return true;
  };
  static_cast<void>((run(PolicyList<Rules>{}) || ...));
  return result;
}

/// Simulates a program, all of its units, under its own policy.
template <class Observer>
SimulationResult run_policy(const Program& program, Observer& observer, bool skipping) {
  return run_policy(Policies{}, program, observer, skipping);
}

}  // namespace warpipe
