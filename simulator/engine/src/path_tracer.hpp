#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "path_nodes.hpp"
#include "warpipe/engine/observer.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/scoreboard.hpp"
#include "warpipe/engine/time.hpp"

namespace warpipe {

/// Hears how a run goes and keeps, for all that may still decide when something happens, the event it comes from.
class PathTracer : public NoObserver {
 public:
  static constexpr bool kHearsWarps = true;

  PathTracer(const Program& program, const std::function<void(const PathLink&)>& hear, const PathLimits& limits);

  void on_group_placed(const PlacedEvent& placed);
  void on_waiting(const WaitingEvent& waiting);
  void on_stage(const StageEvent& stage) { stages_.push_back(stage); }
  void on_issued(const IssuedEvent& issued);
  void on_barrier_passed(const PassedEvent& passed);
  void on_warp_ended(const WarpEndedEvent& ended);
  void on_group_ended(const EndedEvent& ended);

  /// Tells the rest of the path. To be called once, at the end.
  void finish(Ticks cycles);

 private:
  /// An event that is kept, and the time up to which it can decide anything.
  struct Reach {
    std::uint32_t node = kNoNode;
    std::int64_t until = kNever;
  };

  /// A warp slot for a warp.
  struct Resident {
    std::uint32_t stream = 0;  ///< that its warp runs
    Reach previous;            ///< issue
    Reach opened;              ///< the barrier that it passed since
    Reach cause;               ///< of being ready
    PathEdge edge = PathEdge::Interval;
    Reach last;                        ///< of its results so far
    std::vector<Reach> cells;          ///< as in its scoreboard
    std::vector<std::uint32_t> rings;  ///< by cell: the position in a ring that begins there
  };

  /// A slot, and the group in it.
  struct Place {
    Reach freed;    ///< the slot
    Reach arrival;  ///< at the barrier, or at the end of a warp
    Reach last;     ///< result
  };

  const InstructionStream& stream_of(std::size_t warp_slot) const {
    return program_.streams[residents_[warp_slot].stream];
  }
  PathPoint point_of(std::size_t warp_slot, std::uint32_t step) const {
    return {static_cast<std::uint32_t>(warp_slot), step, residents_[warp_slot].stream};
  }
  std::size_t chooser_of(std::size_t warp_slot) const;
  Reach& instance(std::uint32_t pipeline, std::size_t warp_slot);
  Reach& cell_of(Resident& resident, const Wait& wait);

  void keep(Reach& reach, std::uint32_t node, std::int64_t until);
  void keep_latest(Reach& reach, std::uint32_t node, std::int64_t until) {
    if (until > reach.until) keep(reach, node, until);
  }
  void forget(Reach& reach);
  std::uint32_t make(PathEdge edge, const Reach& cause, const PathPoint& effect, std::int64_t time,
                     std::uint32_t pipeline = 0);

  std::uint32_t make_issued(const IssuedEvent& issued);
  std::uint32_t go_through_stages(std::uint32_t issued, const PathPoint& point);
  void record(Resident& resident, ScoreboardEntry score, std::uint32_t node, std::int64_t until);
  void settle(std::size_t warp_slot, std::uint32_t placed, std::int64_t time);
  void forget_slots();
  void make_room(std::int64_t now);
  void forget_before(std::int64_t now);

  const Program& program_;
  const std::function<void(const PathLink&)>& hear_;
  PathLimits limits_;
  std::size_t warps_per_group_, group_slots_per_unit_, schedulers_per_unit_;
  PathNodes nodes_;
  std::size_t fold_at_;
  std::vector<Resident> residents_;           ///< by warp slot
  std::vector<Place> slots_;                  ///< over all units
  std::vector<Reach> schedulers_;             ///< who issued last; by chooser
  std::vector<std::size_t> first_instances_;  ///< by pipeline
  std::vector<Reach> instances_;              ///< who took it last; by instance of a pipeline
  std::vector<StageEvent> stages_;            ///< of the step that issues next
  Reach placed_, latest_, end_;
};

}  // namespace warpipe
