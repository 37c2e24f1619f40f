#pragma once

#include <tuple>

#include "observers/observer.hpp"

namespace warpipe {

/// Passes every event of a run to several observers. It wants the events of all observers, and supports skipping only
/// if all of them do, so each observes the same as alone.
template <class... Observers>
class FanOut {
 public:
  static constexpr bool kWantsWarpEvents = (Observers::kWantsWarpEvents || ...);
  static constexpr bool kSupportsSkipping = (Observers::kSupportsSkipping && ...);

  /// @param observers  null for an unwanted observer
  explicit FanOut(Observers*... observers) : observers_(observers...) {}

  bool is_finished() const {
    return std::apply([](auto*... each) { return ((each == nullptr || each->is_finished()) && ...); }, observers_);
  }

  void on_group_placed(const GroupPlacedEvent& event) {
    notify([&](auto& observer) { observer.on_group_placed(event); });
  }
  void on_waiting(const WaitingEvent& event) {
    notify([&](auto& observer) { observer.on_waiting(event); });
  }
  void on_stage(const StageEvent& event) {
    notify([&](auto& observer) { observer.on_stage(event); });
  }
  void on_issued(const IssuedEvent& event) {
    notify([&](auto& observer) { observer.on_issued(event); });
  }
  void on_barrier_passed(const BarrierPassedEvent& event) {
    notify([&](auto& observer) { observer.on_barrier_passed(event); });
  }
  void on_warp_ended(const WarpEndedEvent& event) {
    notify([&](auto& observer) { observer.on_warp_ended(event); });
  }
  void on_group_ended(const GroupEndedEvent& event) {
    notify([&](auto& observer) { observer.on_group_ended(event); });
  }

  template <class Visitor>
  void visit(Visitor& visitor) {
    notify([&](auto& observer) { observer.visit(visitor); });
  }

 private:
  /// Finished observers receive no further events.
  template <class Notify>
  void notify(const Notify& notify_one) {
    const auto notify_if_wanted = [&](auto* observer) {
      if (observer != nullptr && !observer->is_finished()) notify_one(*observer);
    };
    std::apply([&](auto*... each) { (notify_if_wanted(each), ...); }, observers_);
  }

  std::tuple<Observers*...> observers_;
};

}  // namespace warpipe
