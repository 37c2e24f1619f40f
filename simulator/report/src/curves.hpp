#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/predict.hpp"
#include "warpipe/report/page.hpp"
#include "warpipe/views/records.hpp"

namespace warpipe {

/// The standing of a point among the points with the same work.
enum class Standing { Slower, Tie, Fastest };

/// A prediction over a varied number.
struct CurvePoint {
  double x = 0;
  const Prediction* prediction = nullptr;
  std::size_t line = 0;   ///< index into the lines
  std::string name = {};  ///< "n=512 concurrent_groups=5"
  Standing standing = Standing::Slower;
  std::optional<Seconds> measured = {};
};

/// The run time over a varied quantity; over the occupancy, the boat hull. One line, or a line for each value of
/// another name.
struct Curves {
  std::string x_title;                   ///< "resident warps of a unit"
  std::vector<CurvePoint> points;        ///< not empty; ascending in x
  bool is_occupancy = false;             ///< then the bounds of a line meet at its knee
  std::optional<double> launch = {};     ///< the x of the launch itself, if it is marked
  std::string line_title = {};           ///< the difference between lines: "conflict_degree"; empty for one line
  std::vector<std::string> lines = {};   ///< their values: "1"; empty for one line
  std::string part = {};                 ///< among several pictures: "device=h100"
  std::string remark = {};               ///< a remark in the caption
  std::optional<Interval> seconds = {};  ///< the axis common to all parts, for comparison
};

/// The columns of the chart of curves, without rows.
Records curve_records();

/// @return the knee of a line; nothing where either bound binds everywhere, and for any x but the occupancy
std::optional<double> knee(const Curves& curves, std::size_t line = 0);

/// The time over x with the latency bound and the highest throughput bound of each line.
Figure time_figure(const Curves& curves, const std::string& id);
/// The same as throughputs.
Figure throughput_figure(const Curves& curves, const std::string& id);

}  // namespace warpipe
