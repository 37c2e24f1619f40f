#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/time.hpp"

namespace warpipe {

/// Hands waiting groups to free slots (rule 8 of the model).
class Dispatcher {
 public:
  struct Placement {
    std::int64_t time = 0, unit = 0, slot = 0, age = 0;
  };

  /// At time 0 all slots are free.
  explicit Dispatcher(const Machine& machine) : machine_(machine) {
    for (std::int64_t unit = 0; unit < machine.units; ++unit)
      for (std::int64_t slot = 0; slot < machine.slots; ++slot) free_.emplace(0, slot, unit);
    find_next();
  }

  /// @return when the next group is placed, as far as is known now; kForever where none waits or no slot is free
  std::int64_t next_time() const { return next_time_; }

  /// Places the next group. Only where next_time() is not kForever.
  Placement place() {
    const auto [time, slot, unit] = free_.top();
    const Placement placement{next_time_, unit, slot, placed_};
    free_.pop();
    ++placed_;
    earliest_ = time_sum(next_time_, machine_.group_dispatch_interval.count);
    find_next();
    return placement;
  }

  /// The group in a slot ended; the slot is free after the launch latency.
  void group_ended(std::int64_t time, std::int64_t unit, std::int64_t slot) {
    free_.emplace(time_sum(time, machine_.group_launch_latency.count), slot, unit);
    find_next();
  }

 private:
  using FreeSlot = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  ///< time, slot, unit: the order of rule 8

  void find_next() {
    const bool none = placed_ == machine_.groups || free_.empty();
    next_time_ = none ? kForever : std::max(std::get<0>(free_.top()), earliest_);
  }

  const Machine& machine_;
  std::priority_queue<FreeSlot, std::vector<FreeSlot>, std::greater<>> free_;
  std::int64_t placed_ = 0;
  std::int64_t earliest_ = 0;  ///< the dispatch interval allows no earlier placement
  std::int64_t next_time_ = 0;
};

}  // namespace warpipe
