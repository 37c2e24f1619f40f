#pragma once

#include <optional>

#include "page.hpp"
#include "warpipe/report/launch_report.hpp"

namespace warpipe {

/// The device's roofs, the ceiling that latency sets at this occupancy, and the launch below them, at other occupancies
/// too.
/// @return nothing where the kernel says no operations or no bytes, or the device no bandwidth or no peak
std::optional<Figure> roofline_figure(const LaunchReport& report);

}  // namespace warpipe
