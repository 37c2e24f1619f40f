#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/time.hpp"
#include "warpipe/engine/program.hpp"

namespace warpipe {

/// The work group dispatcher of the device: hands waiting groups to free slots (rule 8). Free slots take groups in
/// order of (time free, slot, unit).
class Dispatcher {
 public:
  struct Placement {
    std::int64_t time = 0, unit = 0, slot = 0, age = 0;
  };

  /// All slots are free when the launch has begun.
  explicit Dispatcher(const Machine& machine) : machine_(machine) {
    for (std::int64_t slot = 0; slot < machine.group_slots; ++slot)
      for (std::int64_t unit = 0; unit < machine.units; ++unit)
        free_.push_back({machine.launch_begin.count, slot, unit});
    std::ranges::make_heap(free_, std::ranges::greater{});
    find_next();
  }

  /// @return the known time of the next placement; kForever if no group waits or no slot is free
  std::int64_t next_time() const { return next_time_; }

  /// Places the next group. Call it only if next_time() is not kForever.
  Placement place() {
    std::ranges::pop_heap(free_, std::ranges::greater{});
    const FreeSlot slot = free_.back();
    free_.pop_back();
    const Placement placement{next_time_, slot.unit, slot.slot, placed_++};
    earliest_ = time_sum(next_time_, machine_.group_dispatch_interval.count);
    find_next();
    return placement;
  }

  /// The group in a slot ended; the slot is free after the launch latency.
  void group_ended(std::int64_t time, std::int64_t unit, std::int64_t slot) {
    free_.push_back({time_sum(time, machine_.group_launch_latency.count), slot, unit});
    std::ranges::push_heap(free_, std::ranges::greater{});
    find_next();
  }

  std::int64_t placed() const { return placed_; }
  std::int64_t groups_left() const { return machine_.groups - placed_; }

  /// Passes the state, except for the number of groups, to a visitor (fast/state_visitors.hpp). Once no groups are
  /// left, free slots no longer affect the run and are omitted.
  template <class Visitor>
  void visit(Visitor& visitor) {
    visitor.value(groups_left() > 0);
    if (groups_left() == 0) return;
    std::ranges::sort(free_);  // sorted is a heap, too
    visitor.time(earliest_);
    visitor.value(static_cast<std::int64_t>(free_.size()));
    for (FreeSlot& slot : free_) {
      visitor.absolute_time(slot.time);
      visitor.value(slot.slot);
      visitor.value(slot.unit);
    }
  }

  /// Counts this many more groups as placed.
  void skip_groups(std::int64_t groups) {
    placed_ += groups;
    find_next();
  }

 private:
  struct FreeSlot {  // members in the order of rule 8
    std::int64_t time, slot, unit;
    friend auto operator<=>(const FreeSlot&, const FreeSlot&) = default;
  };

  void find_next() {
    const bool none = placed_ == machine_.groups || free_.empty();
    next_time_ = none ? kForever : std::max(free_.front().time, earliest_);
  }

  const Machine& machine_;
  std::vector<FreeSlot> free_;  ///< a heap, the first at the front
  std::int64_t placed_ = 0;
  std::int64_t earliest_ = 0;  ///< the dispatch interval allows no earlier placement
  std::int64_t next_time_ = 0;
};

}  // namespace warpipe
