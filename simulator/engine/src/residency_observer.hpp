#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warpipe/engine/leap.hpp"
#include "warpipe/engine/observer.hpp"
#include "warpipe/engine/residency.hpp"

namespace warpipe {

/// Hears groups come and go, and leaps along.
///
/// The time that a group resides is counted when the next one takes its slot. After a leap, which shows in the time of
/// the latest placement, what was there is counted up to that placement, then what was skipped, and the groups that are
/// there now from then on.
class ResidencyObserver : public NoObserver {
 public:
  static constexpr bool kLeaps = true;

  ResidencyObserver(const Machine& machine, Ticks cycles, std::size_t buckets);

  void on_group_placed(const PlacedEvent& placed);
  void on_group_ended(const EndedEvent& ended);

  /// To be asked once, at the end.
  Residency residency();

  template <class Visitor>
  void visit(Visitor& visitor) {
    for (const Slot& slot : slots_) visitor.exact(static_cast<std::int64_t>(slot.state));
  }
  std::span<LastingTime> lasting() { return times_; }
  std::span<std::int64_t> tallies() { return {&counted_, 1}; }

 private:
  enum class State { Unused, Resident, Ended };
  struct Slot {
    State state = State::Unused;
    std::int64_t placed = 0, ended = 0;  ///< as they were before a leap
    std::int64_t from = 0;               ///< not in the buckets yet
  };

  LastingTime& placed_at(std::size_t slot) { return times_[2 * slot]; }
  LastingTime& ended_at(std::size_t slot) { return times_[2 * slot + 1]; }
  LastingTime& latest() { return times_.back(); }

  void follow_leap();
  void count(std::size_t slot);
  void add(std::int64_t from, std::int64_t to);
  void spread(std::int64_t from, std::int64_t to, std::int64_t amount);
  std::int64_t residents(std::int64_t unit, std::int64_t time) const;

  std::size_t group_slots_per_unit_;
  Ticks cycles_;
  Residency residency_;
  std::vector<Slot> slots_;                              ///< over all units
  std::vector<LastingTime> times_;                       ///< of each slot: placed, ended; then of the latest placement
  std::int64_t counted_ = 0;                             ///< the time of all groups whose slot was taken again
  std::int64_t latest_before_ = 0, counted_before_ = 0;  ///< a leap
};

}  // namespace warpipe
