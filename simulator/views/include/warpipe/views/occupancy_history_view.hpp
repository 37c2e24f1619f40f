#pragma once

#include <string>

#include "warpipe/explain/occupancy_history.hpp"

namespace warpipe {

/// Resident warps over the time of a run, as text.
///
///     Occupancy over time: resident warps of the unit, which has room for 64
///
///       from cycle  warps
///                0   32.0  ##############################
///              100   64.0  ############################################################
///              200   16.0  ###############
///
///       mean 37.3 (58.3 %), most 64, tail 33.3 % of the time
///
/// The tail starts when the first slot stays empty for good, since no group is left for it.
std::string write_text(const OccupancyHistory& history);

/// The same as a JSON value: a member of a result. Groups are the groups of a unit, "tail" is a share of the time.
std::string occupancy_history_json(const OccupancyHistory& history);

}  // namespace warpipe
