#pragma once

#include "warpipe/predict/lower.hpp"
#include "warpipe/report/launch_report.hpp"

namespace warpipe {

/// Sets the graph of a report, or why it has none.
void add_graph(LaunchReport& report, const LoweredLaunch& lowered);

}  // namespace warpipe
