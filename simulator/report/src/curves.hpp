#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/predict.hpp"
#include "warpipe/report/page.hpp"
#include "warpipe/views/records.hpp"

namespace warpipe {

/// How a point stands among those that do the same work.
enum class Standing { Slower, Tie, Fastest };

/// A prediction over a number that was varied.
struct CurvePoint {
  double x = 0;
  const Prediction* prediction = nullptr;
  std::size_t line = 0;   ///< which of the lines
  std::string name = {};  ///< "n=512 concurrent_groups=5"
  Standing standing = Standing::Slower;
  std::optional<Seconds> measured = {};
};

/// The run time over something that varies; where that is the occupancy, the boat hull. One line, or one for each value
/// of another name.
struct Curves {
  std::string x_title;                   ///< "resident warps of a unit"
  std::vector<CurvePoint> points;        ///< not empty; ascending in x
  bool is_occupancy = false;             ///< then the bounds of a line meet at its knee
  std::optional<double> launch = {};     ///< the x of the launch itself, where one is marked
  std::string line_title = {};           ///< what tells lines apart: "conflict_degree"; empty for one line
  std::vector<std::string> lines = {};   ///< their values: "1"; empty for one line
  std::string part = {};                 ///< of several pictures which: "device=h100"
  std::string remark = {};               ///< what else the caption says
  std::optional<Interval> seconds = {};  ///< that all parts show, so that they compare
};

/// The columns of the chart of curves, without rows.
Records curve_records();

/// @return the knee of a line; nothing where one of the bounds binds everywhere, and over what is no occupancy
std::optional<double> knee(const Curves& curves, std::size_t line = 0);

/// The time over x with the latency bound and the highest throughput bound of each line.
Figure time_figure(const Curves& curves, const std::string& id);
/// The same as throughputs.
Figure throughput_figure(const Curves& curves, const std::string& id);

}  // namespace warpipe
