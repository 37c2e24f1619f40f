#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/views/sweep_view.hpp"

/// The curves that the points of a sweep make, and where those over the occupancy bend.

namespace warpipe {

/// Which name of a sweep lies along x, which has a line for each of its values, and which a picture.
struct SweepAxes {
  std::size_t x = 0;
  std::optional<std::size_t> lines, pictures;
};

/// @return nothing where no number varies, or others have too many values
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

/// @return the resident warps at which the two bounds cross, from the latencies to a throughput, as rates that are
///         straight between the points; nothing where one of them binds everywhere
std::optional<double> knee(const CurveOfOccupancy& curve);

/// The knee of one curve of a sweep.
struct SweepKnee {
  std::vector<std::size_t> names;   ///< places of the variations that tell the curves apart; empty for one curve
  std::vector<VariedValue> values;  ///< of these
  double warps = 0;
};

/// @return one for each curve over the occupancy whose bounds cross, in the order of the values; none where the table
///         has the best points alone
std::vector<SweepKnee> knees_of(const SweepTable& table);

/// "50.3", as all pages and texts say resident warps of a knee.
std::string show_knee(double warps);

}  // namespace warpipe
