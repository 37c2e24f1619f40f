#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/engine/observer.hpp"
#include "warpipe/engine/recording.hpp"
#include "warpipe/engine/scoreboard.hpp"

namespace warpipe {

/// Thrown through the engine by a observer that has heard all it wants: the run need not go on.
struct HeardEnough {};

/// Hears a run in the order of time and keeps what is in a window.
class Recorder : public NoObserver {
 public:
  static constexpr bool kHearsWarps = true;

  Recorder(const Program& program, const Window& window);

  void on_group_placed(const PlacedEvent& placed);
  void on_waiting(const WaitingEvent& waiting);
  void on_stage(const StageEvent& stage);
  void on_issued(const IssuedEvent& issued);
  void on_barrier_passed(const PassedEvent& passed);
  void on_warp_ended(const WarpEndedEvent& ended);
  void on_group_ended(const EndedEvent& ended);

  /// To be asked once, at the end.
  Recording recording();

 private:
  /// A warp's place: the execution that it has come to, and what it leaves behind for the next one.
  struct Turn {
    Execution execution;
    std::vector<StageTimes> stage_times;
    std::vector<std::size_t> operands;
    bool is_open = false;                 ///< it is in the window, and has neither issued nor, a barrier, been passed
    std::int64_t since = 0;               ///< the next execution's
    std::int64_t held = 0;                ///< until then, at most, the one before still issues
    std::size_t previous = kNotRecorded;  ///< the latest execution of this warp
  };

  bool hears(std::size_t warp_slot) const;
  std::vector<std::size_t> operands_of(std::size_t warp_slot, const Step& step) const;
  /// Takes an execution that is known to its end into the recording, where it is in the window.
  void close(Turn& turn, std::size_t warp_slot, const Step& step);
  /// @throws HeardEnough where nothing of the window can come any more
  void stop_if_over(std::int64_t now);

  const Program& program_;
  std::size_t warps_per_group_, group_slots_per_unit_;
  Recording recording_;
  std::vector<Turn> turns_;            ///< by warp slot
  std::vector<GroupResidency> slots_;  ///< the group in each slot, over all units
  std::vector<bool> is_wanted_;        ///< by slot: its group is in the window
  std::int64_t wanted_left_;           ///< groups of the window that have not ended
  std::int64_t open_ = 0;              ///< turns
  /// The latest executions of each step, kept as the engine keeps their completions.
  Scoreboard latest_;
  std::vector<Warp> warps_;  ///< by warp slot; only the cells are used
};

}  // namespace warpipe
