#pragma once

#include <optional>
#include <string>

#include "warpipe/report/launch_report.hpp"
#include "warpipe/report/page.hpp"

namespace warpipe {

/// The device's roofs, the ceiling set by latency at this occupancy, and the launch below them, at other occupancies
/// too.
/// @return nothing where why_no_roofline has an answer
std::optional<Figure> roofline_figure(const LaunchReport& report);

/// @return the inputs missing in kernel and device, by the keys of their files; empty where there is a roofline
std::string why_no_roofline(const LaunchReport& report);

}  // namespace warpipe
