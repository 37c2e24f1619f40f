#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warpipe/engine/leap.hpp"
#include "warpipe/engine/observer.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/stalls.hpp"

namespace warpipe {

/// Hears how a run goes and charges every warp's time, see stalls.hpp. What it knows of a warp reaches up to the
/// warp's latest issue (or placement, or barrier): the rest is charged at the next one.
class StallAccountant : public NoObserver {
 public:
  static constexpr bool kHearsWarps = true;
  static constexpr bool kLeaps = true;

  explicit StallAccountant(const Program& program);

  void on_group_placed(const PlacedEvent& placed);
  void on_waiting(const WaitingEvent& waiting);
  void on_issued(const IssuedEvent& issued);
  void on_barrier_passed(const PassedEvent& passed);
  void on_warp_ended(const WarpEndedEvent& ended);
  void on_group_ended(const EndedEvent& ended);

  /// To be asked once, at the end.
  Stalls stalls(Ticks cycles) const;

  template <class Visitor>
  void visit(Visitor& visitor) {
    for (Account& account : accounts_) {
      visitor.exact(account.issuing);
      visitor.exact(account.last_wait);
      visitor.exact(account.until_earliest);
      visitor.exact(account.until_ready);
      visitor.exact(account.ender);
      visitor.time(account.end);
    }
  }
  std::span<LastingTime> lasting() { return since_; }
  std::span<std::int64_t> tallies() { return tallies_; }

 private:
  static constexpr std::uint32_t kNobody = UINT32_MAX;

  /// A warp's place; since when it is as it is stands in since_.
  struct Account {
    std::uint32_t stream = 0;         ///< that its warp runs; the engine's state has it, too
    std::uint32_t issuing = kNobody;  ///< the step that may still hold the scheduler
    std::uint32_t last_wait = kNoWait;
    std::int64_t until_earliest = 0, until_ready = 0;  ///< of the next step; from `since`
    std::uint32_t ender = kNobody;                     ///< the step whose execution ends last so far
    std::int64_t end = 0;                              ///< when
  };

  /// Where a step's tallies are: one a state, then its backlogs, then its waits, in tallies_.
  struct Entry {
    std::size_t tallies = 0, backlogs = 0, waits = 0;
    std::int64_t holds_for = 0;  ///< the scheduler, or the pipeline
  };

  const InstructionStream& stream_of(std::size_t warp_slot) const;
  const Entry& entry_of(std::size_t warp_slot, std::uint32_t step) const;
  std::size_t unit_of(std::size_t warp_slot) const { return warp_slot / warp_slots_per_unit_; }
  /// That time for all warps of a group.
  /// @throws ModelError where it does not fit 64 bits
  std::int64_t of_a_group(std::int64_t time) const;
  /// Charges a warp's time up to `until`, at least none.
  void charge(std::size_t warp_slot, const Entry& entry, Stall stall, std::int64_t until);
  void charge_issuing(std::size_t warp_slot, std::int64_t most);
  void begin(std::size_t warp_slot, std::int64_t time, std::uint32_t issuing);
  void note_end(std::size_t warp_slot, std::uint32_t step, std::int64_t end);
  std::int64_t& unit_tally(std::size_t unit, Stall stall) {
    return tallies_[unit * kStalls + static_cast<std::size_t>(stall)];
  }
  StepStalls step_stalls(const Entry& entry, const Step& step) const;

  const Program& program_;
  std::size_t warps_per_group_, group_slots_per_unit_, warp_slots_per_unit_;
  std::vector<std::vector<Entry>> entries_;  ///< by stream and step
  std::vector<Account> accounts_;            ///< by warp slot
  std::vector<LastingTime> since_;           ///< by warp slot, then by slot: since when it is empty
  std::vector<std::int64_t> tallies_;        ///< by unit and state, then as the entries say
};

}  // namespace warpipe
