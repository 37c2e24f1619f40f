#pragma once

#include <string>
#include <vector>

#include "warpipe/predict/lower.hpp"

namespace warpipe {

/// What a result may hide where one unit stands for all, as warnings for its reader:
/// - a last wave in which some units get a group more than others: where that is cheap, all units are simulated, and
///   the warning names their time if it differs; else it says how far off the result may be
/// - fewer groups than units: their bursts meet at the device's pipelines on one unit, and may not meet on all
/// - a sample of groups that does not have the mean work of all
/// - a group so long that the run may end with it alone
/// @param cycles  of the run
std::vector<std::string> doubts_of_one_unit(const LoweredLaunch& lowered, Ticks cycles);

}  // namespace warpipe
