#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace warpipe {

/// Indices from `first` below `end`.
struct IndexRange {
  std::size_t first = 0, end = 0;
  std::size_t size() const { return end - first; }
  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// How much is handed out at a time.
struct HandOutLimits {
  /// So many indices, from the first one that is not done, may be handed out or done: that many results wait for their
  /// turn at most, so that a long piece of work does not make those behind it fill the memory. At least 1.
  std::size_t window = 1;
  /// How long a range is meant to take, and so much more for each worker, for whoever hands out has all their messages
  /// to read. With 0 for both, each range is one index.
  double seconds = 0, seconds_per_worker = 0;
};

/// Hands out the indices of a study to workers that ask whenever they are free, and knows up to where the results are
/// there, so that they can be taken in order. It only decides: it neither waits nor sends, and knows no clock. Threads,
/// ranks of MPI and the virtual ranks of a test all ask the same.
///
/// Guided self-scheduling: a range holds as many indices as are done in the time that it is meant to take, and towards
/// the end at most a share of what is left for each worker. Nothing is known of the first ones: they come one by one.
/// @source Polychronopoulos, Kuck: Guided self-scheduling, IEEE Trans. Comput. C-36 (1987)
class HandOut {
 public:
  using Worker = std::uint64_t;

  /// @param indices  of the study
  HandOut(IndexRange indices, const HandOutLimits& limits);

  /// A worker is free.
  /// @return its range, lost ones and the lowest ones first; nothing where none can be handed out now. It may ask again
  ///         when others are done or lost, until the study is over
  std::optional<IndexRange> ask(Worker worker);

  /// A worker has done the first `count` indices of its range. The others go back, for whoever asks next.
  /// @param seconds  that they took
  /// @return         those that are done; nothing if the range has been taken from the worker: its results are no
  ///                 longer wanted
  std::optional<IndexRange> done(Worker worker, std::size_t count, double seconds);

  /// A worker will not answer any more. What it had goes back.
  void lost(Worker worker);

  /// All indices before this one are done.
  std::size_t finished() const;
  bool is_over() const { return finished() == all_.end; }

  /// How long a range is meant to take, now that there are so many workers.
  double seconds_of_range() const;

 private:
  std::size_t size_of_next(std::size_t left) const;
  void go_back(IndexRange range);
  IndexRange hand(Worker worker, IndexRange range);

  IndexRange all_;
  HandOutLimits limits_;
  std::size_t next_;                             ///< never handed out, nor any behind it
  std::map<std::size_t, std::size_t> returned_;  ///< ends by beginnings of ranges that came back
  std::map<Worker, IndexRange> out_;
  std::set<std::size_t> firsts_out_;  ///< the beginnings of those that are out
  std::set<Worker> workers_;          ///< who has asked, but for the lost ones
  double seconds_per_index_ = 0;      ///< of late; 0: not known yet
};

/// @param worked   seconds on a range so far
/// @param seconds  that it is meant to take
/// @return         false where its indices take much longer than others did before: report what is done, leave the rest
inline bool is_worth_going_on(double worked, double seconds) { return worked <= 2 * seconds; }

}  // namespace warpipe
