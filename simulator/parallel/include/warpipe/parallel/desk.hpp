#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "warpipe/parallel/hand_out.hpp"

namespace warpipe {

/// Gives ranges to the workers of a study and takes their results: a HandOut shared by threads, including any thread
/// that brings the results of further processes.
class Desk {
 public:
  using Worker = HandOut::Worker;

  /// @param take  called with each index in order, one call at a time, when it and all before it are done
  Desk(IndexRange indices, const HandOutLimits& limits, std::function<void(std::size_t index)> take);

  /// @return a range; nothing where none is free now
  std::optional<IndexRange> ask(Worker worker);
  /// Waits for a range.
  /// @return nothing when the study is over or has been ended
  std::optional<IndexRange> wait(Worker worker);

  /// A worker has done the first `count` indices of its range.
  /// @param keep  called with each of them, at once, to put its result where `take` looks for it; not called where the
  ///              results are no longer wanted
  void done(Worker worker, std::size_t count, double seconds, const std::function<void(std::size_t index)>& keep);
  void lost(Worker worker);

  /// Ends the study: no more indices are handed out or taken.
  void end(std::exception_ptr why);
  bool is_over() const { return is_over_; }
  /// The number of ranges returned so far: a worker without a range may ask again when the number has changed.
  std::size_t changes() const { return changes_; }
  double seconds_of_range() const;

  /// @throws the exception with which the study has been ended
  void rethrow() const;

 private:
  void take_finished();
  void changed();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  HandOut hand_out_;
  std::function<void(std::size_t)> take_;
  std::size_t taken_;  ///< the first index not yet taken
  std::atomic<bool> is_over_;
  std::atomic<std::size_t> changes_ = 0;
  std::exception_ptr why_;
};

/// Works for a desk until the study is over: asks, makes each index of the range, brings the finished indices. An
/// exception of `make` ends the study.
/// @param make  leaves the result where `take` of the desk looks for it
void work_at(Desk& desk, Desk::Worker worker, const std::function<void(std::size_t index)>& make);

/// The finished part of a worker's range.
struct DoneOfRange {
  std::size_t count = 0;  ///< of the first indices
  double seconds = 0;
};

/// Makes the indices of a range in order, as long as is_worth_going_on.
/// @param seconds  the planned time of the range
DoneOfRange make_range(IndexRange range, double seconds, const std::function<void(std::size_t index)>& make);

}  // namespace warpipe
