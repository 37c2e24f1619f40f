#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/time.hpp"
#include "warpipe/engine/program.hpp"

namespace warpipe {

/// By how much later an access is done than on an idle device.
struct LevelDelay {
  std::int64_t time = 0;
  bool is_late = false;  ///< all of it for those that have the pipeline before
};

/// An instance of the pipeline of a memory level, and what is in flight there (rule 5): the more there is on average
/// over one latency, the longer each access takes.
class LevelPipeline {
 public:
  /// Before anything comes to it.
  /// @param latency  *idle* of rule 4
  void set_latency(std::int64_t latency) { latency_ = latency; }

  /// An access arrives. Its turn comes next, then add().
  /// @return lambda, which depends on what is in flight
  /// @throws ModelError where a time does not fit 64 bits
  std::int64_t arrive(std::int64_t arrival, const Stage& access);

  /// @param issue  lambda, as arrive() said
  /// @param free   when the pipeline is free behind the access
  /// @throws ModelError where a time does not fit 64 bits
  LevelDelay add(std::int64_t arrival, std::int64_t issue, std::int64_t free, const Stage& access);

  /// Forgets what has no effect any more on arrivals from then on.
  void forget(std::int64_t now);

  /// Passes the state to a visitor (fast/state_visitors.hpp), after forget().
  template <class Visitor>
  void visit(Visitor& visitor) {
    visitor.time(latest_, latency_ + 1);
    visitor.value(load_);
    visitor.value(static_cast<std::int64_t>(accesses_.size() - first_));
    for (std::size_t i = first_; i < accesses_.size(); ++i) {
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
  void retire_first();
  void keep(const Access& access);

  std::int64_t latency_ = 0;      ///< *idle*
  std::int64_t latest_ = kNever;  ///< *latest*, the latest arrival
  std::int64_t load_ = 0;         ///< *load*, the mean of in_flight_ up to the latest arrival
  std::int64_t in_flight_ = 0;    ///< the sum of the lambdas of those in flight
  std::int64_t writes_ = 0;       ///< of these
  std::vector<Access> accesses_;  ///< in flight from first_ on, sorted
  std::size_t first_ = 0;         ///< those before have left
};

inline std::int64_t LevelPipeline::arrive(std::int64_t arrival, const Stage& access) {
  if (arrival > latest_) update_load(arrival);
  const auto accesses = static_cast<std::int64_t>(accesses_.size() - first_);
  const bool is_mixed = access.is_write ? writes_ < accesses : writes_ > 0;
  return (is_mixed ? access.mixed : access.issue).count;
}

}  // namespace warpipe
