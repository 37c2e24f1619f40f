#pragma once

#include <string>
#include <vector>

#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

namespace warpipe {

/// Writes the fit into the sources of the ops with fitted values: the rows, the error, the intervals, and the earlier
/// source.
/// @param calibration  complete but for the sources of its device
void put_sources(Calibration& calibration, const std::vector<TableParameter>& parameters,
                 const CalibrationRequest& request);

}  // namespace warpipe
