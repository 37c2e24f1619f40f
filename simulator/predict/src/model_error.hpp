#pragma once

#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/predict.hpp"

/// How far the model is off where every number of the device is right. What the first, third, ... rows of the reference
/// sets leave beside the intervals of the numbers decided the constants, and of code that is read the launches of
/// tests/todays_kernels on an H100 and an H200.

namespace warpipe {

/// The set that a cache keeps is as large as that of one with this part of its size, or the inverse of it, that keeps
/// the lines used last: measured curves begin to rise at four fifths of the size, and what is a little too large does
/// not always go as a whole.
constexpr double kRoomInCaches = 0.8;

/// A memory that is asked for few sectors of each line opens a page for each: it may reach as little as this part of
/// what it reaches with whole lines, as the additions that are not coalesced show on two devices.
constexpr double kReachedByScattered = 0.5;

/// Half of the 90 % interval of a time, of its logarithm.
/// @param prediction  of that launch, with its limiter
double model_error(const LoweredLaunch& launch, const Prediction& prediction);

/// Whether most of what the memory moves is for accesses that touch at most half of the sectors of their lines.
bool is_scattered(const LoweredLaunch& launch);

}  // namespace warpipe
