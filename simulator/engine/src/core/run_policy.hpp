#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/engine.hpp"
#include "policies.hpp"

namespace warpipe {

/// A run of a program, all of its units, that may stop on its way and go on.
class Run {
 public:
  virtual ~Run() = default;
  /// Goes on to the end.
  /// @param most  instructions that may be simulated individually, with all before this call
  /// @return      nothing if there are more
  virtual std::optional<SimulationResult> up_to(std::int64_t most) = 0;
};

template <class Rule, class Observer>
class RunUnder final : public Run {
 public:
  RunUnder(const Program& program, Observer& observer, bool skipping) : engine_(program, observer, skipping) {}
  std::optional<SimulationResult> up_to(std::int64_t most) override { return engine_.run(most); }

 private:
  Engine<Rule, Observer> engine_;
};

template <class Observer, class... Rules>
std::unique_ptr<Run> begin_run(PolicyList<Rules...>, const Program& program, Observer& observer, bool skipping) {
  std::unique_ptr<Run> run;
  std::size_t left = static_cast<std::size_t>(program.machine.policy);
  const auto begin = [&]<class Rule>(PolicyList<Rule>) {
    if (left-- != 0) return false;
    run = std::make_unique<RunUnder<Rule, Observer>>(program, observer, skipping);
    return true;
  };
  static_cast<void>((begin(PolicyList<Rules>{}) || ...));
  return run;
}

/// Begins a run under the program's own policy. Program and observer must outlive it.
template <class Observer>
std::unique_ptr<Run> begin_run(const Program& program, Observer& observer, bool skipping) {
  return begin_run(Policies{}, program, observer, skipping);
}

/// Simulates a program to its end.
template <class Observer>
SimulationResult run_policy(const Program& program, Observer& observer, bool skipping) {
  return *begin_run(program, observer, skipping)->up_to(INT64_MAX);
}

}  // namespace warpipe
