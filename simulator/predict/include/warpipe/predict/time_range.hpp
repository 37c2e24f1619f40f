#pragma once

#include "warpipe/engine/program.hpp"
#include "warpipe/predict/predict.hpp"

/// How sure a predicted time is: what the numbers of the device leave open, and how well the model meets what it
/// describes.

namespace warpipe {

/// Simulates the launch twice more, on the device with every number at the fast end and at the slow end of its
/// interval, with caches that keep more and less. What comes out is widened by the error of the model itself, the
/// logarithms added in quadrature.
/// @param prediction  of that launch
/// @throws ModelError, GateError as simulate
/// @complexity two further simulations of the launch and of the caches
/// @source docs/predict.md, "How sure is it"
TimeRange time_range(const LoweredLaunch& launch, const Prediction& prediction);

}  // namespace warpipe
