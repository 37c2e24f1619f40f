#pragma once

#include "warpipe/engine/program.hpp"
#include "warpipe/predict/predict.hpp"

/// The uncertainty of a predicted time, from the intervals of the device's numbers and the error of the model.

namespace warpipe {

/// Finds the time of the launch with every number of the device at the fast end and at the slow end of its interval,
/// and with caches that keep more and less: from its bounds there where it takes about its bound, else by simulation.
/// The range is widened by the error of the model itself and by the uncertain work of groups not looked at, the
/// logarithms added in quadrature.
/// @param prediction  of the launch
/// @throws ModelError, GateError as simulate
/// @complexity at most two further simulations of the launch, and three of a part of the caches' work
/// @source docs/predict.md, "How sure is it"
TimeRange time_range(const LoweredLaunch& launch, const Prediction& prediction);

}  // namespace warpipe
