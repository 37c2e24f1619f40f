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

/// The limits of the ranges handed out.
struct HandOutLimits {
  /// The most indices handed out or done, from the first unfinished index on. So at most `window` results wait for
  /// their turn, and a long piece of work does not let the results behind it fill the memory. At least 1.
  std::size_t window = 1;
  /// The planned time of a range, and the time added per worker, because the owner has to read the messages of all
  /// workers. With 0 for both, each range is a single index.
  double seconds = 0, seconds_per_worker = 0;
};

/// Hands out the indices of a study to workers whenever they are free, and knows the first unfinished index, so that
/// results can be taken in order. It only decides: it neither waits nor sends, and has no clock. Threads, ranks of MPI
/// and the virtual ranks of a test all ask the same.
///
/// Guided self-scheduling: a range holds the indices fitting its planned time, and towards the end at most a share of
/// the remaining indices per worker. The first ranges are single indices, because no time is known yet.
/// @source Polychronopoulos, Kuck: Guided self-scheduling, IEEE Trans. Comput. C-36 (1987)
class HandOut {
 public:
  using Worker = std::uint64_t;

  /// @param indices  of the study
  HandOut(IndexRange indices, const HandOutLimits& limits);

  /// A worker is free.
  /// @return its range, lost and low ranges first; nothing where no range can be handed out now. The worker may ask
  ///         again when ranges have been done or lost, until the study is over
  std::optional<IndexRange> ask(Worker worker);

  /// A worker has done the first `count` indices of its range. The rest goes back, for the next free worker.
  /// @param seconds  the time of these indices
  /// @return         the finished indices; nothing if the range has been taken from the worker: its results are no
  ///                 longer wanted
  std::optional<IndexRange> done(Worker worker, std::size_t count, double seconds);

  /// A worker will not answer any more. Its range goes back.
  void lost(Worker worker);

  /// All indices before this one are done.
  std::size_t finished() const;
  bool is_over() const { return finished() == all_.end; }

  /// The planned time of a range, by the present number of workers.
  double seconds_of_range() const;

 private:
  std::size_t size_of_next(std::size_t left) const;
  void go_back(IndexRange range);
  IndexRange hand(Worker worker, IndexRange range);

  IndexRange all_;
  HandOutLimits limits_;
  std::size_t next_;                             ///< never handed out, nor any behind it
  std::map<std::size_t, std::size_t> returned_;  ///< ends by beginnings of returned ranges
  std::map<Worker, IndexRange> out_;
  std::set<std::size_t> firsts_out_;  ///< the beginnings of the ranges in `out_`
  std::set<Worker> workers_;          ///< all that have asked, without lost workers
  double seconds_per_index_ = 0;      ///< of late; 0: not known yet
};

/// @param worked   seconds on a range so far
/// @param seconds  the planned time of the range
/// @return         false where its indices take much longer than earlier indices: report the finished indices, leave
///                 the rest
inline bool is_worth_going_on(double worked, double seconds) { return worked <= 2 * seconds; }

}  // namespace warpipe
