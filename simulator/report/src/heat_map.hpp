#pragma once

#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/predict.hpp"
#include "warpipe/report/page.hpp"

namespace warpipe {

/// A prediction over two numbers.
struct HeatCell {
  double x = 0, y = 0;
  const Prediction* prediction = nullptr;
};

/// The run time over two varied numbers.
/// @param x_title, y_title  the numbers
/// @param cells             with a prediction; not empty
/// @param like              a time in whose unit all are shown
/// @param same_work         whether all do the same work, and the fastest is framed
Figure heat_map(const std::string& x_title, const std::string& y_title, const std::vector<HeatCell>& cells,
                Seconds like, bool same_work);

}  // namespace warpipe
