#pragma once

#include <optional>
#include <string>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/predict/predict.hpp"

/// Results impossible on every device.

namespace warpipe {

/// The clocks of all devices lie between these.
inline constexpr Hertz kLowestClock{1e6}, kHighestClock{20e9};

/// The refusal of a clock given by a user; nothing for a possible clock.
/// @param where   the option or argument
/// @param advice  what else the user may mean; empty for none
std::optional<Diagnostic> refusal_of_clock(const std::string& where, Hertz clock, const std::string& advice);

/// @return whether the levels of the memory that serve an access are known: from its own levels, or from the name of
///         its op (global.load.l1, global.load.l2.64)
bool is_cached(const Instruction& instruction);

/// @param ops     executed by the kernel
/// @param cached  is_cached() of one of the loads
/// @param device  with the options applied
/// @return        a sentence for each impossible result: rates above the device's peaks, a time below the time of the
///                compulsory traffic, work of other groups than ran, a clock outside the range of all devices
std::vector<std::string> implausibilities(const Prediction& prediction, const std::vector<const Op*>& ops, bool cached,
                                          const Device& device);

}  // namespace warpipe
