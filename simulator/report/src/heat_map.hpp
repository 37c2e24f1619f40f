#pragma once

#include <optional>
#include <string>
#include <vector>

#include "page.hpp"
#include "warpipe/study/predict.hpp"

namespace warpipe {

/// A prediction over two numbers.
struct HeatCell {
  double x = 0, y = 0;
  const Prediction* prediction = nullptr;
};

/// The run time over two numbers that vary, the fastest cell framed.
/// @param x_title, y_title  what varies
/// @param cells             those that have a prediction; at least one
Figure heat_map(const std::string& x_title, const std::string& y_title, const std::vector<HeatCell>& cells);

}  // namespace warpipe
