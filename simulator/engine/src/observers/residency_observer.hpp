#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/layout.hpp"
#include "fast/state_visitors.hpp"
#include "observers/observer.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/residency.hpp"

namespace warpipe {

/// Observes the number of groups residing in the slots.
///
/// The time of a group is counted when the next group takes its slot. Skipped periods show in the time of the latest
/// placement, moved by the engine. Then the earlier groups are counted up to the begin of the skipped time, the skipped
/// time as a whole, and the current groups from its end on.
class ResidencyObserver : public NoObserver {
 public:
  static constexpr bool kSupportsSkipping = true;

  explicit ResidencyObserver(const Program& program);

  void on_group_placed(const GroupPlacedEvent& placed);
  void on_group_ended(const GroupEndedEvent& ended);

  /// To be called once, at the end.
  /// @param cycles   of the run
  /// @param buckets  at most, >= 1
  Residency residency(Ticks cycles, std::size_t buckets);

  template <class Visitor>
  void visit(Visitor& visitor) {
    for (const Slot& slot : slots_) visitor.value(static_cast<std::int64_t>(slot.state));
    for (OpenInterval& interval : intervals_) visitor.open_interval(interval);
    visitor.accumulator(counted_);
  }

 private:
  enum class State { Unused, Resident, Ended };
  struct Slot {
    State state = State::Unused;
    std::int64_t placed = 0, ended = 0;  ///< as before periods were skipped
    std::int64_t from = 0;               ///< the group is counted up to here
  };
  /// The time of groups, spread evenly over a stretch of the run.
  struct Share {
    std::int64_t from = 0, to = 0;
    std::int64_t time = 0;
  };

  OpenInterval& placed_at(std::size_t slot) { return intervals_[2 * slot]; }
  OpenInterval& ended_at(std::size_t slot) { return intervals_[2 * slot + 1]; }
  OpenInterval& latest_placement() { return intervals_.back(); }

  void count_skipped_time();
  void count(std::int64_t from, std::int64_t to);
  std::int64_t residents(std::int64_t unit, std::int64_t time) const;

  const Layout layout_;
  std::vector<Slot> slots_;              ///< over all units
  std::vector<OpenInterval> intervals_;  ///< since each slot's group was placed, ended; since the latest placement
  std::vector<Share> shares_;
  std::int64_t peak_ = 0;
  std::int64_t counted_ = 0;                             ///< the time of all groups with their slot taken again
  std::int64_t latest_before_ = 0, counted_before_ = 0;  ///< as before periods were skipped
};

}  // namespace warpipe
