#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "command_line/arguments.hpp"
#include "verbs/sweep_inputs.hpp"
#include "warpipe/accuracy/accuracy.hpp"

namespace warpipe::app {

/// The measured times of the points of a sweep.
class MeasuredPoints {
 public:
  /// Reads --measured: where only options of a launch, parameters, kernels and devices vary, a table as for `validate`,
  /// else a table as for `tune`, with a column for each varied name.
  /// @throws UsageError for a column of the launch that neither varies nor is given; else as read_measurements_csv and
  ///                    add_measured
  MeasuredPoints(const Arguments& arguments, const Sweep& sweep);

  bool are_given() const { return are_given_; }

  /// @return the mean of its rows; nothing for a point without a prediction or a measurement
  std::optional<Seconds> at(const SweepPoint& point) const;

 private:
  const std::vector<Variation>& variations_;
  bool are_given_ = false;
  std::vector<Measurement> rows_;                         ///< of launches
  std::map<std::vector<std::uint32_t>, double> seconds_;  ///< by the places of the values
};

}  // namespace warpipe::app
