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
  }

  /// @return when the next group is placed, as far as is known now; kForever where none waits or no slot is free
  std::int64_t next_time() const {
    if (placed_ == machine_.groups || free_.empty()) return kForever;
    const std::int64_t slot_free = std::get<0>(free_.top());
    if (placed_ == 0) return slot_free;
    return std::max(slot_free, time_sum(last_time_, machine_.group_dispatch_interval.count));
  }

  /// Places the next group. Only where next_time() is not kForever.
  Placement place() {
    last_time_ = next_time();
    const auto [time, slot, unit] = free_.top();
    free_.pop();
    return {last_time_, unit, slot, placed_++};
  }

  /// The group in a slot ended; the slot is free after the launch latency.
  void group_ended(std::int64_t time, std::int64_t unit, std::int64_t slot) {
    free_.emplace(time_sum(time, machine_.group_launch_latency.count), slot, unit);
  }

 private:
  using FreeSlot = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  ///< time, slot, unit: the order of rule 8

  const Machine& machine_;
  std::priority_queue<FreeSlot, std::vector<FreeSlot>, std::greater<>> free_;
  std::int64_t placed_ = 0;
  std::int64_t last_time_ = 0;
};

}  // namespace warpipe
