#pragma once

#include <string>
#include <vector>

#include "warpipe/predict/predict.hpp"

/// Results that no device can show.

namespace warpipe {

/// The clocks of all devices lie between these.
inline constexpr Hertz kLowestClock{1e6}, kHighestClock{20e9};

/// @return whether it is known which levels of the memory serve an access: by what it says of them, or by the name of
///         its op (global.load.l1, global.load.l2.64)
bool is_cached(const Instruction& instruction);

/// @param ops     those that the kernel runs
/// @param cached  is_cached() of one of the loads
/// @param device  with the options applied
/// @return        a sentence for each thing that cannot be true: rates above the device's peaks, a time below that of
/// the
///                compulsory traffic, work of other groups than ran, a clock that no device has
std::vector<std::string> implausibilities(const Prediction& prediction, const std::vector<const Op*>& ops, bool cached,
                                          const Device& device);

}  // namespace warpipe
