#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/layout.hpp"
#include "core/scoreboard.hpp"
#include "observers/observer.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/recording.hpp"

namespace warpipe {

/// Records the executions of a run in a window, see recording.hpp. It is finished when all executions of the window are
/// over.
class Recorder : public NoObserver {
 public:
  static constexpr bool kWantsWarpEvents = true;

  Recorder(const Program& program, const Window& window);

  bool is_finished() const { return is_finished_; }

  void on_group_placed(const GroupPlacedEvent& placed);
  void on_waiting(const WaitingEvent& waiting);
  void on_stage(const StageEvent& stage);
  void on_issued(const IssuedEvent& issued);
  void on_barrier_passed(const BarrierPassedEvent& passed);
  void on_warp_ended(const WarpEndedEvent& ended);
  void on_group_ended(const GroupEndedEvent& ended);

  /// To be called once, at the end.
  Recording recording();

 private:
  /// Of a warp slot: its warp's current execution, and the data for the next.
  struct Current {
    Execution execution;
    std::vector<StageTimes> stage_times;
    std::vector<std::size_t> operands;
    bool is_open = false;                 ///< it is in the window, and has neither issued nor, a barrier, been passed
    std::int64_t since = 0;               ///< the next execution's
    std::int64_t held = 0;                ///< the latest time until which the execution before still issues
    std::size_t previous = kNotRecorded;  ///< the latest execution of this warp
  };

  bool is_in_window(std::size_t warp_slot) const;
  std::vector<std::size_t> operands_of(std::size_t warp_slot, const Step& step) const;
  /// Adds an execution with a known end to the recording, if it is in the window.
  void close(Current& current, std::size_t warp_slot, const Step& step);
  void finish_if_over(std::int64_t now);

  const Program& program_;
  const Layout layout_;
  Recording recording_;
  std::vector<Current> current_;        ///< by warp slot
  std::vector<GroupResidency> groups_;  ///< by group slot: the latest group
  std::vector<bool> is_wanted_;         ///< by group slot: whether its group is in the window
  std::int64_t wanted_left_;            ///< groups of the window before their end
  std::int64_t open_ = 0;               ///< executions
  bool is_finished_ = false;
  /// The latest executions of each step, kept as the engine keeps their completions.
  Scoreboard latest_;
  std::vector<Warp> warps_;  ///< by warp slot; stream and cells are used
};

}  // namespace warpipe
