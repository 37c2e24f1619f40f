#pragma once

#include <string>
#include <vector>

#include "warpipe/predict/lower.hpp"

namespace warpipe {

/// Warnings about possible errors of a result where one unit stands for all:
/// - an uneven last wave, with a group more on some units: where cheap, all units are simulated, and the warning names
///   their time if it differs; else it says how far off the result may be
/// - fewer groups than units: their bursts meet at the device's pipelines on one unit, and may not meet on all
/// - a sample of groups without the mean work of all
/// - a long group: the run may end with it alone
/// @param cycles  of the run
std::vector<std::string> doubts_of_one_unit(const LoweredLaunch& lowered, Ticks cycles);

}  // namespace warpipe
