#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {

/// The launches of a program, one after the other, with their times.
struct ProgramTimes {
  struct Launch {
    std::size_t line = 0;  ///< of the launch file
    std::string entry, block, grid;
    std::int64_t times = 1;
    std::optional<Prediction> prediction;
    std::string error;  ///< where there is no prediction
  };
  Device device;
  std::vector<Launch> launches;
};

/// The sum of all launches of a program.
struct ProgramSum {
  std::int64_t launches = 0;  ///< each as often as it is launched; failed launches are not counted
  std::int64_t failed = 0;    ///< likewise
  double time = 0;            ///< seconds of the runs
  /// Seconds with the launch overhead, and no launch sooner after another than the device's launch interval.
  double total_time = 0;
  /// Seconds where the host does not wait between launches, and each launch waits for the launch before: the launch
  /// overhead once, then the runs, and between two launches the device's launch gap (none where it is unknown), or as
  /// much more as makes a run and the gap the launch interval.
  double back_to_back = 0;
  /// Where the time lies if the numbers of the device are off for all launches alike; empty unless all have a range.
  std::optional<Interval> range;
};
ProgramSum sum_of(const ProgramTimes& program);

/// A row per launch with its share of the time.
TextTable table_of(const ProgramTimes& program);
/// "sum of 12 launches on v100: 140 us, back to back 160 us": a sentence.
std::string show_sum(const ProgramTimes& program);

/// A line per launch with its share of the time, and the sum.
std::string write_text(const ProgramTimes& program);
/// RFC 4180 with a header: a row per launch, and a last row with the entry `sum`.
std::string write_csv(const ProgramTimes& program);
/// Format "warpipe-launches".
std::string write_json(const ProgramTimes& program);

}  // namespace warpipe
