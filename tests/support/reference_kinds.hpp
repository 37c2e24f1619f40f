#pragma once

#include <cstdint>
#include <vector>

#include "support/reference_engine.hpp"

namespace warpipe::reference {

/// The kind of each group of the launch, in the order of their index.
std::vector<std::int64_t> kinds_of_launch(const Kernel& kernel, const Device& device, const Launch& launch);

/// The kinds of the simulated groups, in the order of their placement: of all groups, or of the groups that one unit
/// simulates for all (rule 8).
std::vector<std::int64_t> kinds_simulated(const Kernel& kernel, const Device& device, const Launch& launch);

/// All values seen by the body.
Values body_values(const Kernel& kernel, const Device& device, const Launch& launch, std::int64_t kind,
                   std::int64_t warp);

}  // namespace warpipe::reference
