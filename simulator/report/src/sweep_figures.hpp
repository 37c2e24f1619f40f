#pragma once

#include <vector>

#include "warpipe/report/page.hpp"
#include "warpipe/views/sweep_view.hpp"

namespace warpipe {

/// The points with a prediction.
std::vector<const SweepPoint*> predicted_points(const SweepTable& table);

/// The pictures of a sweep. With a varied number, up to three names are curves: the number with most values lies along
/// x, a second name has a line for each of its values, a third a picture for each. Two numbers of many values each are
/// a heat map, and all other sweeps are the points over each name.
Section sweep_section(const SweepTable& table);

}  // namespace warpipe
