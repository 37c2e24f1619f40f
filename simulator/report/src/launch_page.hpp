#pragma once

#include "page.hpp"
#include "warpipe/report/launch_report.hpp"

namespace warpipe {

/// A prediction, what limits it, where its time goes and what surrounds it.
Page launch_page(const LaunchReport& report);

}  // namespace warpipe
