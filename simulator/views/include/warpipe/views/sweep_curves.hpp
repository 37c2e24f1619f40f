#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/views/sweep_view.hpp"

/// The curves of a sweep's points, and the knees of the curves over the occupancy.

namespace warpipe {

/// The name of a sweep along x, the name with a line for each of its values, and the name with a picture for each.
struct SweepAxes {
  std::size_t x = 0;
  std::optional<std::size_t> lines, pictures;
};

/// @return nothing where no number varies, or other names have too many values
std::optional<SweepAxes> axes_of(const std::vector<Variation>& variations);

/// @return whether the values of a name are resident groups or warps
bool is_occupancy(const Variation& variation);

/// @return the highest bound but that of the latencies; 0 where there is none
Ticks throughput_bound(const Prediction& prediction);
/// @return the bound of the latencies; 0 where there is none
Ticks latency_bound(const Prediction& prediction);

/// A prediction over the resident warps of a unit.
struct CurveOfOccupancy {
  struct Point {
    double warps = 0;
    const Prediction* prediction = nullptr;
  };
  std::vector<Point> points;  ///< ascending
};

/// @return the resident warps at which the two bounds cross, from the latencies to a throughput, as rates straight
///         between the points; nothing where either binds everywhere
std::optional<double> knee(const CurveOfOccupancy& curve);

/// The knee of a curve of a sweep.
struct SweepKnee {
  std::vector<std::size_t> names;   ///< places of the variations between the curves; empty for one curve
  std::vector<VariedValue> values;  ///< of these
  double warps = 0;
};

/// @return a knee for each curve over the occupancy with crossing bounds, in the order of the values; none where the
///         table has the best points alone
std::vector<SweepKnee> knees_of(const SweepTable& table);

/// "50.3", as all pages and texts say resident warps of a knee.
std::string show_knee(double warps);

}  // namespace warpipe
