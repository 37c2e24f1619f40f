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

/// Warps that wait for each other for good.
/// @param warp  of the group, one of those that wait
ModelError never_comes(const BoundSignal& signal, std::size_t warp);

/// The signals of all resident groups (rule 7): who has arrived, which phases are complete, and which one each warp
/// waits for next.
class Signals {
 public:
  Signals(const Program& program, const Layout& layout);

  /// A group of a kind is placed in a slot.
  void start_group(std::size_t group_slot, std::uint32_t kind);

  /// An execution that arrives is issued; it is complete later.
  /// @return whether a phase has all its arrivals now
  bool arrive(std::size_t group_slot, std::uint32_t signal, std::int64_t now, std::int64_t completion);

  /// When the phase is complete that a warp waits for next.
  /// @return kForever where that is not known yet; any time of the past where it was some time ago, or where no such
  ///         phase will ever be
  std::int64_t next_phase(std::size_t warp_slot, std::uint32_t signal) const;

  /// A warp's wait for a signal is over: the next one is for the next phase.
  void pass(std::size_t warp_slot, std::uint32_t signal) {
    if (signal < signals_) ++passed_[warp_slot * signals_ + signal].trips_done;
  }

  /// Forgets the times of the past.
  void forget(std::int64_t now);

  /// Passes the signals of a group that is there to a visitor (fast/state_visitors.hpp), after forget(). Phases count
  /// on as loops do: what matters is how far a warp is behind its group, and where there is nothing left to wait for.
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
    std::int64_t arrived = 0;               ///< in the phase that is not complete
    LoopCounter phases;                     ///< that have all their arrivals, behind those that were open
    std::int64_t last_phase = 0;            ///< that will ever be complete
    std::int64_t latest = kNever;           ///< completion of the arrivals so far
    std::vector<std::int64_t> completions;  ///< of the last phases: those that are not known to be of the past
  };

  std::vector<std::int64_t> phases_of_kind(const Program& program, std::size_t kind) const;

  const std::vector<BoundSignal>& bound_;
  std::size_t signals_, warps_per_group_;
  std::vector<std::vector<std::int64_t>> last_phases_;  ///< by kind of group and signal
  std::vector<State> states_;                           ///< by group slot and signal
  std::vector<LoopCounter> passed_;                     ///< by warp slot and signal: waits that are over
};

}  // namespace warpipe
