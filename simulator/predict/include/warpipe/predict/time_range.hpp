#pragma once

#include "warpipe/engine/program.hpp"
#include "warpipe/predict/predict.hpp"

/// How sure a predicted time is: what the numbers of the device leave open, and how well the model meets what it
/// describes.

namespace warpipe {

/// Finds what the launch takes on the device with every number at the fast end and at the slow end of its interval,
/// with caches that keep more and less: by its bounds there where it takes about its bound, else by simulating it. What
/// comes out is widened by the error of the model itself, the logarithms added in quadrature.
/// @param prediction  of that launch
/// @throws ModelError, GateError as simulate
/// @complexity at most two further simulations of the launch, and three of a part of the caches' work
/// @source docs/predict.md, "How sure is it"
TimeRange time_range(const LoweredLaunch& launch, const Prediction& prediction);

}  // namespace warpipe
