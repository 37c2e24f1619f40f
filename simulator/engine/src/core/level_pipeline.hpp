#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/time.hpp"
#include "warpipe/engine/program.hpp"

namespace warpipe {

/// The extra time of an access over an idle device.
struct LevelDelay {
  std::int64_t time = 0;
  bool is_late = false;  ///< all of it due to earlier accesses in the pipeline
};

/// An instance of the pipeline of a memory level, with its accesses in flight (rule 5): the more work is in flight on
/// average over one latency, the longer each access takes.
class LevelPipeline {
 public:
  /// To be called before the first access.
  /// @param latency  *idle* of rule 4
  void set_latency(std::int64_t latency) { latency_ = latency; }

  /// Takes an access through the pipeline.
  /// @param free  when the pipeline is free before the access, then behind it
  /// @throws ModelError for a time above 64 bits
  LevelDelay take(std::int64_t arrival, std::int64_t& free, const Stage& access);

  /// Forgets accesses without an effect on arrivals from `now` on.
  void forget(std::int64_t now);

  /// Passes the state to a visitor (fast/state_visitors.hpp), after forget().
  template <class Visitor>
  void visit(Visitor& visitor) {
    visitor.time(latest_, latency_ + 1);
    visitor.value(load_);
    visitor.value(static_cast<std::int64_t>(end_ - first_));
    for (std::size_t i = first_; i < end_; ++i) {
      visitor.absolute_time(accesses_[i].release);
      visitor.value(accesses_[i].issue);
      visitor.value(accesses_[i].is_write);
    }
  }

 private:
  struct Access {
    std::int64_t release, issue;
    bool is_write;
    friend auto operator<=>(const Access&, const Access&) = default;
  };

  /// Brings the load up to an arrival.
  void update_load(std::int64_t arrival);
  /// Lambda of an access, a function of the accesses in flight.
  std::int64_t issue_of(const Stage& access) const;
  void retire_first();
  void keep(const Access& access);
  void make_room();

  std::int64_t latency_ = 0;      ///< *idle*
  std::int64_t latest_ = kNever;  ///< *latest*, the latest arrival
  std::int64_t load_ = 0;         ///< *load*, the mean of in_flight_ up to the latest arrival
  std::int64_t in_flight_ = 0;    ///< the sum of the lambdas in flight
  std::int64_t writes_ = 0;       ///< of these
  std::vector<Access> accesses_;  ///< in flight from first_ to end_, sorted; behind is room
  std::size_t first_ = 0, end_ = 0;
};

}  // namespace warpipe
