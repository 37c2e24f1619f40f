#pragma once

#include "warpipe/predict/settle_launch.hpp"
#include "warpipe/report/launch_report.hpp"

namespace warpipe {

/// Sets the graph of a report, or why it has none.
void add_graph(LaunchReport& report, const SettledLaunch& settled);

}  // namespace warpipe
