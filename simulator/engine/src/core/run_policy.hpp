#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/engine.hpp"
#include "policies.hpp"

namespace warpipe {

template <class Observer, class... Rules>
std::optional<SimulationResult> run_policy(PolicyList<Rules...>, const Program& program, Observer& observer,
                                           bool skipping, std::int64_t most) {
  std::optional<SimulationResult> result;
  std::size_t left = static_cast<std::size_t>(program.machine.policy);
  const auto run = [&]<class Rule>(PolicyList<Rule>) {
    if (left-- != 0) return false;
    result = Engine<Rule, Observer>(program, observer, skipping, most).run();
    return true;
  };
  static_cast<void>((run(PolicyList<Rules>{}) || ...));
  return result;
}

/// Simulates a program, all of its units, under its own policy.
/// @param most  instructions that may be simulated individually
/// @return      nothing if there are more
template <class Observer>
std::optional<SimulationResult> run_policy_at_most(std::int64_t most, const Program& program, Observer& observer,
                                                   bool skipping) {
  return run_policy(Policies{}, program, observer, skipping, most);
}

template <class Observer>
SimulationResult run_policy(const Program& program, Observer& observer, bool skipping) {
  return *run_policy_at_most(INT64_MAX, program, observer, skipping);
}

}  // namespace warpipe
