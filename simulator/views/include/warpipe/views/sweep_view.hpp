#pragma once

#include <string>
#include <vector>

#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/sweep/sweep.hpp"
#include "warpipe/views/records.hpp"

namespace warpipe {

/// The points of a sweep and its variations.
struct SweepTable {
  std::vector<Variation> variations;  ///< as many as each point has values
  std::vector<SweepPoint> points;
  bool has_best_alone = false;  ///< without the points between them
};

/// @return the varied names, in order
std::vector<std::string> names_of(const std::vector<Variation>& variations);

/// @return the value of the column time_us
double time_us(const Prediction& prediction);

/// @return a value as people read it: "16x16", "h100", "1.5"
std::string show_value(const VariedValue& value);

/// "n=512 concurrent_groups=5": the varied values at a point.
std::string show_point(const std::vector<Variation>& variations, const SweepPoint& point);

/// The sets of points of the same work with a named fastest point: none where there are many, or where each is a single
/// point.
std::vector<EqualWork> named_works(const SweepTable& table);

/// @return whether any point was measured
bool has_measured(const SweepTable& table);

/// "7 of 8 points measured: mean |error| 3.1 %, worst +8.2 % at concurrent_groups=1"; empty where none was.
std::string show_measured(const SweepTable& table);

/// A line per point, with the fastest named below; where points do other work, the fastest of equal work and the
/// highest throughput. Where times were measured, they and the errors.
///
///     trips  concurrent_groups  resident_warps  cycles  time_us  limiter  bound_cycles  ratio_to_bound
///         1                  4               1     440     0.44  latency           440               1
///         2                  4               1     874    0.874  latency           874               1
///
///     fastest: trips=1, 0.44 us
///
/// Over the occupancy, the knee: from how many resident warps on the throughput bound is the higher bound.
std::string write_text(const SweepTable& table);
/// An object of format "warpipe-sweep": all points, the fastest of equal work with its ties, and the knees.
std::string write_json(const SweepTable& table);
/// RFC 4180 with a header: the varied names, concurrent_groups, resident_warps, cycles, time_us, limiter, bound_cycles,
/// ratio_to_bound, with ranges low_us and high_us, error. A failed point has its error and no other result.
std::string write_csv(const SweepTable& table);
/// The same columns, one JSON object per line; null where a cell is empty.
std::string write_jsonl(const SweepTable& table);

/// The rows of a sweep one by one; a header and the rows of all points are the output of write_csv or write_jsonl.
class SweepRows {
 public:
  /// @param names  of the variations
  /// @param range  whether the predictions say where their times lie: two columns more
  SweepRows(std::vector<std::string> names, RowForm form, bool range = false);

  /// The line above the rows; empty where there is none.
  std::string header() const;
  std::string row(const SweepPoint& point) const;
  /// The start of the row of a point with these values, with the comma behind them.
  std::string row_start(const std::vector<VariedValue>& values) const;
  /// The end of a row with a prediction.
  std::string end_of_predicted() const;

 private:
  std::vector<std::string> varied_;
  bool range_;
  std::vector<std::string> columns_;
  RowForm form_;
};

}  // namespace warpipe
