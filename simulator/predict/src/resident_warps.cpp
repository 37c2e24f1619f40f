#include "warpipe/predict/resident_warps.hpp"

#include <fmt/format.h>

#include "warpipe/idg/error.hpp"

namespace warpipe {

std::int64_t groups_of_resident_warps(std::int64_t resident_warps, const Kernel& kernel, const Device& device,
                                      const LaunchOptions& options) {
  LaunchOptions any_occupancy = options;
  any_occupancy.concurrent_groups = 1;  // the warps of a group do not depend on M, and a device may have no limit
  const Launch launch = resolve_launch(with_options(kernel, any_occupancy), device, any_occupancy);
  if (resident_warps % launch.warps_per_group != 0) {
    throw ModelError(
        Diagnostic{.where = "occupancy",
                   .problem = "resident warps must be a whole number of groups",
                   .found = fmt::format("found {} warps, a group of {} threads has {}", resident_warps,
                                        launch.group_size.value, launch.warps_per_group),
                   .advice = fmt::format("give a multiple of {}, or another group size", launch.warps_per_group)});
  }
  return resident_warps / launch.warps_per_group;
}

}  // namespace warpipe
