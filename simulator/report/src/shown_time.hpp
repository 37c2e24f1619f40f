#pragma once

#include <string>
#include <string_view>

#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// The unit of an axis of times.
struct TimeUnit {
  std::string_view name;  ///< "ms"
  double seconds = 1;
};
/// @return the unit in which the longest of the times is at least 1, or microseconds
TimeUnit unit_for(Seconds longest);

/// @return "sgemm on example, An example device (1.5 GHz)"
std::string name_of_launch(const Prediction& prediction);

}  // namespace warpipe
