#pragma once

#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/predict.hpp"

/// The error of the model where every number of the device is right. The constants come from the first, third, ... rows
/// of the reference sets, from their errors beyond the intervals of the numbers, and for imported code from the
/// launches of bench/validation/todays_kernels on an H100 and an H200.

namespace warpipe {

/// A cache keeps as large a set as a least-recently-used cache with this fraction of its size, or the inverse fraction:
/// measured curves begin to rise at four fifths of the size, and a set a little too large does not always go as a
/// whole.
constexpr double kRoomInCaches = 0.8;

/// A memory opens a page for each line of few requested sectors: its rate may be as low as this fraction of its rate
/// with whole lines, as additions that are not coalesced show on two devices.
constexpr double kReachedByScattered = 0.5;

/// Half of the 90 % interval of a time, of its logarithm.
/// @param prediction  of the launch, with its limiter
double model_error(const LoweredLaunch& launch, const Prediction& prediction);

/// Whether most bytes of the memory move for accesses to at most half of the sectors of their lines.
bool is_scattered(const LoweredLaunch& launch);

}  // namespace warpipe
