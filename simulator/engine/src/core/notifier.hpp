#pragma once

#include <cstddef>
#include <cstdint>

#include "core/rotation.hpp"
#include "core/scoreboard.hpp"
#include "core/state.hpp"
#include "observers/observer.hpp"

namespace warpipe {

/// Turns the engine's actions into the events of observer.hpp. Events unwanted by the observer compile to nothing.
template <class Observer>
class Notifier {
 public:
  static constexpr bool kWantsWarpEvents = Observer::kWantsWarpEvents;
  static constexpr bool kNeedsTimeOrder = kWantsWarpEvents && !Observer::kSupportsSkipping;

  Notifier(const EngineState& state, Observer& observer) : state_(state), observer_(observer) {}

  bool observer_is_finished() const { return observer_.is_finished(); }

  void group_placed(const Dispatcher::Placement& placed, std::uint32_t kind) {
    observer_.on_group_placed({placed.time, placed.unit, placed.slot, placed.age, kind, state_.result.cycles.count});
  }

  void group_ended(std::int64_t end, std::int64_t unit, std::int64_t slot) {
    observer_.on_group_ended({end, unit, slot});
  }

  void waiting(const Warp& warp, std::int64_t earliest, bool for_signal) {
    if constexpr (kWantsWarpEvents) {
      const std::uint32_t last = warp.ready > earliest && !for_signal ? last_wait(warp) : kNoWait;
      const std::uint32_t service = last == kNoWait ? kNoService : service_awaited(warp, last);
      observer_.on_waiting({warp_slot_of(warp), step_of(warp), earliest, warp.ready, last, service, for_signal});
    }
  }

  /// The facts of an issue before it takes any resource: above all, its last wait.
  [[gnu::always_inline]] IssuedEvent before_issue(const Warp& warp, std::int64_t time,
                                                  const Scheduler& scheduler) const {
    if constexpr (!kWantsWarpEvents) return {};
    IssuedEvent issued{.warp_slot = warp_slot_of(warp), .step = step_of(warp), .time = time};
    if (warp.step->has_services) issued.service = service_in_turn(warp, rotation_of(*warp.stream, *warp.step));
    if (time == warp.ready) return issued;
    const IssueQueue& queue = *warp.queue;
    if (state_.machine.schedulers > 0 && time == scheduler.free) {
      issued.hold = Hold::Scheduler;
    } else if (time == *queue.pipeline_free) {
      issued.hold = Hold::Pipeline;
    } else {
      issued.hold = Hold::Backlog;
      while (time != *queue.backlogs[issued.backlog].pipeline_free - queue.backlogs[issued.backlog].slack)
        ++issued.backlog;
    }
    return issued;
  }

  void stage(const Warp& warp, StageEvent stage) {
    if constexpr (kWantsWarpEvents) {
      stage.warp_slot = warp_slot_of(warp);
      stage.step = step_of(warp);
      observer_.on_stage(stage);
    }
  }

  void issued(const IssuedEvent& issued) {
    if constexpr (kWantsWarpEvents) observer_.on_issued(issued);
  }

  void barrier_passed(const Warp& warp, std::int64_t opening) {
    if constexpr (kWantsWarpEvents) observer_.on_barrier_passed({warp_slot_of(warp), step_of(warp), opening});
  }

  void warp_ended(const Warp& warp) {
    if constexpr (kWantsWarpEvents) observer_.on_warp_ended({warp_slot_of(warp), warp.end});
  }

 private:
  std::size_t warp_slot_of(const Warp& warp) const { return static_cast<std::size_t>(&warp - state_.warps.data()); }
  static std::uint32_t step_of(const Warp& warp) {
    return static_cast<std::uint32_t>(warp.step - warp.stream->steps.data());
  }

  /// The service of the awaited execution, as an index into InstructionStream::services.
  static std::uint32_t service_awaited(const Warp& warp, std::uint32_t wait) {
    const InstructionStream& stream = *warp.stream;
    const Step& producer = stream.steps[stream.producers[wait]];
    if (!producer.has_services) return kNoService;
    return service_in_turn(warp, rotation_of(stream, producer), stream.waits[wait].back);
  }

  const EngineState& state_;
  Observer& observer_;
};

}  // namespace warpipe
