#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lines_of_launch.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {

inline constexpr double kMostLanes = 0.5;  // of a warp: more, and few kernels could be written with all of them

/// Makes the changes of a launch.
class ChangeMaker {
 public:
  /// All must live as long.
  ChangeMaker(const LoweredLaunch& launch, const Prediction& prediction, const LinesOfLaunch& lines)
      : launch_(launch), prediction_(prediction), lines_(lines) {}

  LaunchOptions unchanged() const;

  std::vector<std::size_t> scattered() const;
  /// Scattered accesses reach neighbours.
  Finding::Change neighbours() const;

  /// Whether numbers are converted in a line.
  bool has_conversions(const std::string& place) const;
  Finding::Change floats() const;

  /// The mean share of a warp's active lanes; 1 where it is not known. Imported code counts the operations of active
  /// lanes.
  double share_of_lanes() const;
  /// The line with the most executions.
  Heavy busiest() const;
  std::optional<Finding::Change> all_lanes() const;

  std::optional<Finding::Change> loads_ahead(const std::vector<std::size_t>& loads) const;

  Finding::Change fewer_starts() const;

  /// As many groups as fill the warps of a unit, as far as the launch has them.
  std::int64_t more_groups() const;
  static void let_reside(std::int64_t groups, Finding::Change& change);

 private:
  const LoweredLaunch& launch_;
  const Prediction& prediction_;
  const LinesOfLaunch& lines_;
};

}  // namespace warpipe
