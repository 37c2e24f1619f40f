#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/layout.hpp"
#include "fast/state_visitors.hpp"
#include "observers/observer.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/stalls.hpp"

namespace warpipe {

/// Charges every warp's time to a state, see stalls.hpp. A warp is charged up to its latest issue (or placement, or
/// barrier): the time since then is charged at its next event.
class StallAccountant : public NoObserver {
 public:
  static constexpr bool kWantsWarpEvents = true;
  static constexpr bool kSupportsSkipping = true;

  explicit StallAccountant(const Program& program);

  void on_group_placed(const GroupPlacedEvent& placed);
  void on_waiting(const WaitingEvent& waiting);
  void on_issued(const IssuedEvent& issued);
  void on_barrier_passed(const BarrierPassedEvent& passed);
  void on_warp_ended(const WarpEndedEvent& ended);
  void on_group_ended(const GroupEndedEvent& ended);

  /// To be called once, at the end.
  Stalls stalls(Ticks cycles) const;

  template <class Visitor>
  void visit(Visitor& visitor) {
    for (Account& account : accounts_) {
      visitor.value(account.issuing);
      visitor.value(account.last_wait);
      visitor.value(account.service);
      visitor.value(account.for_signal);
      visitor.value(account.until_earliest);
      visitor.value(account.until_ready);
      visitor.value(account.last_to_end);
      visitor.time(account.end);
    }
    for (OpenInterval& interval : intervals_) visitor.open_interval(interval);
    for (std::int64_t& sum : sums_) visitor.accumulator(sum);
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// The account of a warp slot; intervals_ has its next interval.
  struct Account {
    std::uint32_t stream = 0;                                 ///< of its warp; the engine's state has it, too
    std::uint32_t issuing = kNone;                            ///< the step that may still hold the scheduler
    std::uint32_t last_wait = kNoWait, service = kNoService;  ///< of the next step
    bool for_signal = false;                                  ///< the next step waits for a signal
    std::int64_t until_earliest = 0, until_ready = 0;         ///< of the next step; from the start of the interval
    std::uint32_t last_to_end = kNone;                        ///< the step of the execution with the latest end so far
    std::int64_t end = 0;                                     ///< of this execution
  };

  /// The begins of a step's sums in sums_: by state, then by backlog, then by wait, then most_services_ for each wait.
  struct Entry {
    std::size_t states = 0, backlogs = 0, waits = 0, services = 0;
    std::int64_t holds_for = 0;  ///< the scheduler, or the pipeline
  };

  const InstructionStream& stream_of(std::size_t warp_slot) const;
  const Entry& entry_of(std::size_t warp_slot, std::uint32_t step) const;
  OpenInterval& empty_interval(std::size_t group_slot) { return intervals_[accounts_.size() + group_slot]; }
  const OpenInterval& empty_interval(std::size_t group_slot) const { return intervals_[accounts_.size() + group_slot]; }
  std::int64_t& unit_sum(std::size_t unit, Stall stall) {
    return sums_[unit * kStalls + static_cast<std::size_t>(stall)];
  }
  /// The time for all warps of a group.
  /// @throws ModelError for a time above 64 bits
  std::int64_t of_all_warps(std::int64_t time) const;
  /// Charges a warp's time up to `until`, at least none.
  void charge(std::size_t warp_slot, const Entry& entry, Stall stall, std::int64_t until);
  /// The latest issued step holds its scheduler for a while, at most until the next event of its warp.
  void charge_issuing(std::size_t warp_slot, std::int64_t next_event);
  void begin(std::size_t warp_slot, std::int64_t time, std::uint32_t issuing);
  void note_end(std::size_t warp_slot, std::uint32_t step, std::int64_t end);
  /// Charges a step's wait for its last operand to this operand.
  void charge_wait(std::size_t warp_slot, const Entry& entry, const Step& step, std::int64_t time);
  StepStalls step_stalls(const Entry& entry, const InstructionStream& stream, const Step& step) const;

  const Program& program_;
  const Layout layout_;
  std::size_t most_services_ = 0;            ///< of any step
  std::vector<std::vector<Entry>> entries_;  ///< by stream and step
  std::vector<Account> accounts_;            ///< by warp slot
  std::vector<OpenInterval> intervals_;      ///< by warp slot: not charged yet; then by group slot: empty
  std::vector<std::int64_t> sums_;           ///< by unit and state, then as the entries say
};

}  // namespace warpipe
