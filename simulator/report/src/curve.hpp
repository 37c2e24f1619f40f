#pragma once

#include <optional>
#include <string>
#include <vector>

#include "page.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// A prediction over a number that was varied.
struct CurvePoint {
  double x = 0;
  const Prediction* prediction = nullptr;
};

/// The run time over something that varies, ascending in it; where that is the occupancy, the boat hull.
struct Curve {
  std::string x_title;  ///< "resident warps of a unit"
  std::vector<CurvePoint> points;
  bool is_occupancy = false;     ///< then the bounds meet at the knee
  std::optional<double> launch;  ///< the x of the launch itself, where one is marked
};

/// @return the first x at which no longer the latencies bound the time but a throughput; nothing where that is at none,
///         or at all
std::optional<double> knee(const Curve& curve);

/// The time and the throughput over x, with the latency bound and the highest throughput bound.
std::vector<Figure> curve_figures(const Curve& curve);

}  // namespace warpipe
