#pragma once

#include <string>
#include <vector>

#include "warpipe/predict/predict.hpp"

/// What no device can do, whatever the simulation says.

namespace warpipe {

/// Between these lie the clocks of all devices.
inline constexpr Hertz kLowestClock{1e6}, kHighestClock{20e9};

/// @return whether an access is served by a cache, as its op says: global.load.l1, global.load.l2.64
bool is_cached(const std::string& op);

/// @param ops     those that the kernel runs
/// @param device  with the options applied
/// @return        what cannot be true, a sentence each: rates above the device's peaks, a time below that of the
///                compulsory traffic, work of other groups than ran, a clock that no device has
std::vector<std::string> implausibilities(const Prediction& prediction, const std::vector<const Op*>& ops,
                                          const Device& device);

}  // namespace warpipe
