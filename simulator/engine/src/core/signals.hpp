#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/layout.hpp"
#include "core/time.hpp"
#include "core/warp.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {

/// The error for warps waiting for each other for good.
/// @param warp  of the group, a waiting warp
ModelError never_comes(const BoundSignal& signal, std::size_t warp);

/// The signals of all resident groups (rule 7): arrivals, complete phases, and the next phase awaited by each warp.
class Signals {
 public:
  Signals(const Program& program, const Layout& layout);

  /// A group of a kind is placed in a slot.
  void start_group(std::size_t group_slot, std::uint32_t kind);

  /// Notes the issue of an arriving execution, complete later.
  /// @return whether a phase has all its arrivals now
  bool arrive(std::size_t group_slot, std::uint32_t signal, std::int64_t now, std::int64_t completion);

  /// The completion of the next phase awaited by a warp.
  /// @return kForever if unknown yet; any time of the past if it was some time ago, or if no such phase will ever be
  std::int64_t next_phase(std::size_t warp_slot, std::uint32_t signal) const;

  /// Ends a warp's wait for a signal: its next wait is for the next phase.
  void pass(std::size_t warp_slot, std::uint32_t signal) {
    if (signal < signals_) ++passed_[warp_slot * signals_ + signal].trips_done;
  }

  /// Forgets the times of the past.
  void forget(std::int64_t now);

  /// Passes the signals of a resident group to a visitor (fast/state_visitors.hpp), after forget(). Phases count on as
  /// loops do: only a warp's distance behind its group matters, and the absence of further waits.
  template <class Visitor>
  void visit(std::size_t group_slot, Visitor& visitor) {
    for (std::uint32_t signal = 0; signal < signals_; ++signal) {
      State& state = states_[group_slot * signals_ + signal];
      visitor.value(state.arrived);
      visitor.time(state.latest);
      visitor.value(static_cast<std::int64_t>(state.completions.size()));
      for (std::int64_t& completion : state.completions) visitor.time(completion);
      visitor.counter(state.phases, kForever);
      for (std::size_t warp = 0; warp < warps_per_group_; ++warp) {
        LoopCounter& passed = passed_[(group_slot * warps_per_group_ + warp) * signals_ + signal];
        const bool has_left = passed.trips_done < state.last_phase;
        visitor.value(has_left);
        visitor.value(state.phases.trips_done - passed.trips_done);
        visitor.counter(passed, has_left ? state.last_phase : kForever);
      }
    }
  }

 private:
  struct State {
    std::int64_t arrived = 0;               ///< in the incomplete phase
    LoopCounter phases;                     ///< with all their arrivals, behind the phases open at first
    std::int64_t last_phase = 0;            ///< the last phase ever complete
    std::int64_t latest = kNever;           ///< completion of the arrivals so far
    std::vector<std::int64_t> completions;  ///< of the last phases, unless known to be of the past
  };

  std::vector<std::int64_t> phases_of_kind(const Program& program, std::size_t kind) const;

  const std::vector<BoundSignal>& bound_;
  std::size_t signals_, warps_per_group_;
  std::vector<std::vector<std::int64_t>> last_phases_;  ///< by kind of group and signal
  std::vector<State> states_;                           ///< by group slot and signal
  std::vector<LoopCounter> passed_;                     ///< by warp slot and signal: ended waits
};

}  // namespace warpipe
