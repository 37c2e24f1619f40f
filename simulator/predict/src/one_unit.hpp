#pragma once

#include <string>
#include <vector>

#include "warpipe/predict/playable.hpp"

namespace warpipe {

/// Where one unit stands for all: what that may hide, for the reader of the result.
/// - a last wave in which some units get a group more than others: all units are played where that is cheap, and it is
///   said where they take another time; else how far they may be off
/// - groups that are fewer than the units, whose bursts meet at the device's pipelines on one unit, and may not on all
/// - groups that the unit's sample cannot stand for
/// - a group so long that the run may end with it alone
/// @param options  those that it was made playable with
/// @param cycles   of the run
std::vector<std::string> doubts_of_one_unit(const Playable& played, const LaunchOptions& options, Ticks cycles);

}  // namespace warpipe
