#pragma once

#include <string>
#include <vector>

#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

namespace warpipe {

/// Lets the sources of the ops with fitted values say so: from which rows, with which error, within which intervals,
/// and what stood there before.
/// @param calibration  complete but for the sources of its device
void put_sources(Calibration& calibration, const std::vector<TableParameter>& parameters,
                 const CalibrationRequest& request);

}  // namespace warpipe
