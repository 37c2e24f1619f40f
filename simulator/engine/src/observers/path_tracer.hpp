#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/layout.hpp"
#include "core/pipeline_instances.hpp"
#include "core/scoreboard.hpp"
#include "core/time.hpp"
#include "observers/observer.hpp"
#include "observers/path_nodes.hpp"
#include "warpipe/engine/program.hpp"

namespace warpipe {

/// Traces the critical path (critical_path.hpp): keeps, for every resource and result that may still decide the time of
/// an event, its event of origin.
class PathTracer : public NoObserver {
 public:
  static constexpr bool kWantsWarpEvents = true;

  PathTracer(const Program& program, const std::function<void(const PathLink&)>& on_link, const PathLimits& limits);

  void on_group_placed(const GroupPlacedEvent& placed);
  void on_waiting(const WaitingEvent& waiting);
  void on_stage(const StageEvent& stage) { stages_.push_back(stage); }
  void on_issued(const IssuedEvent& issued);
  void on_barrier_passed(const BarrierPassedEvent& passed);
  void on_warp_ended(const WarpEndedEvent& ended);
  void on_group_ended(const GroupEndedEvent& ended);

  /// Reports the rest of the path. To be called once, at the end.
  void finish(Ticks cycles);

 private:
  /// An event, and the last time at which it can decide anything.
  struct KeptEvent {
    std::uint32_t node = kNoNode;
    std::int64_t until = kNever;
  };

  /// The events of a warp slot.
  struct WarpEvents {
    KeptEvent previous_issue;
    KeptEvent opening;  ///< of the last barrier passed by the warp
    KeptEvent cause;    ///< of being ready
    PathEdge edge = PathEdge::Interval;
    KeptEvent last_end;  ///< of the warp's instructions so far
  };

  /// The events of a group slot.
  struct GroupEvents {
    KeptEvent freed;    ///< the slot
    KeptEvent arrival;  ///< the latest, at the barrier or at the end of a warp
    KeptEvent last_end;
    std::vector<std::vector<KeptEvent>> arrivals;  ///< at each signal, each up to its completion
  };

  const InstructionStream& stream_of(std::size_t warp_slot) const { return *warps_[warp_slot].stream; }
  PathPoint point_of(std::size_t warp_slot, std::uint32_t step) const;
  PathPoint point_of_group(std::size_t group_slot) const;
  KeptEvent& pipeline_of(std::uint32_t pipeline, std::size_t warp_slot) {
    return pipelines_(pipeline, layout_.scheduler_of(warp_slot));
  }
  /// The event behind a cell of a warp's scoreboard.
  KeptEvent& result_in(std::size_t warp_slot, const std::int64_t* cell);

  void keep(KeptEvent& kept, std::uint32_t node, std::int64_t until);
  void keep_if_later(KeptEvent& kept, std::uint32_t node, std::int64_t until) {
    if (until > kept.until) keep(kept, node, until);
  }
  void keep_result(std::size_t warp_slot, std::uint32_t step, std::uint32_t node, std::int64_t completion);
  void forget(KeptEvent& kept);
  void keep_arrival(std::size_t warp_slot, std::uint32_t signal, std::uint32_t node, const IssuedEvent& issued);
  const KeptEvent& arrival_at(std::size_t warp_slot, std::uint32_t step, std::int64_t completion) const;
  /// Makes an event. A cause may lie ahead if there is slack (a queue, a result before its pipeline is free): then the
  /// latest event before it that does not is the cause.
  std::uint32_t make(PathEdge edge, const KeptEvent& cause, const PathPoint& effect, std::int64_t time,
                     std::uint32_t pipeline = 0);

  std::uint32_t make_issue(const IssuedEvent& issued);
  std::uint32_t go_through_stages(std::uint32_t issue, const PathPoint& point);
  void start_warp(std::size_t warp_slot, const InstructionStream& stream, std::uint32_t placed, std::int64_t time);
  void make_room(std::int64_t now);
  void forget_before(std::int64_t now);

  const Program& program_;
  const std::function<void(const PathLink&)>& on_link_;
  PathLimits limits_;
  const Layout layout_;
  PathNodes nodes_;
  std::size_t fold_at_;
  Scoreboard scoreboard_;                   ///< used for the cells' places alone
  std::vector<Warp> warps_;                 ///< by warp slot; stream and cells are used
  std::vector<KeptEvent> results_;          ///< by cell of the scoreboard
  std::vector<WarpEvents> warp_events_;     ///< by warp slot
  std::vector<GroupEvents> group_events_;   ///< by group slot
  std::vector<KeptEvent> schedulers_;       ///< the latest issue
  PipelineInstances<KeptEvent> pipelines_;  ///< the latest instruction in it
  std::vector<StageEvent> stages_;          ///< of the next step to issue
  KeptEvent latest_placement_, latest_issue_, end_;
};

}  // namespace warpipe
