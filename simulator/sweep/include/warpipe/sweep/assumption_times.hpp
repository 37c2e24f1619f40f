#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/code/module.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// An assumption of an import, and the time with other values in its place.
struct AssumptionTimes {
  /// Numbers are multiplied or divided by eight until the time moves; `value` is the first number that moved the time,
  /// else the last number tried.
  struct Other {
    std::string value;
    std::optional<Seconds> time;  ///< nothing where it cannot be imported or predicted
    std::string error;            ///< then the reason
    bool moves = false;           ///< the time differs by at least kMoves
  };
  static constexpr double kMoves = 0.0005;  ///< shown as 0.1 %
  isa::Assumption assumption;
  std::vector<Other> others;  ///< none where it was not examined
  double most = 0;            ///< the largest change of the time by any of them, as a share
};

/// How much the time of a launch moves with other values of an assumption, each assumption by itself: one or two
/// further imports and simulations of each, and up to six where the time does not move at once. Assumptions known from
/// data alone come first, then arguments and the size of the launch; at most 16, and fewer where the launch reaches
/// much memory, or takes long to import.
/// @param options  of the import, as they were given
/// @param report   of the import, with its assumptions
/// @param time     with all assumptions as they are
/// @param done     called after each simulation with the numbers of finished and of all simulations; may be empty
/// @return         the assumptions that move the time most first; unexamined assumptions last
std::vector<AssumptionTimes> examine_assumptions(const code::Module& module, const isa::ImportOptions& options,
                                                 const isa::ImportReport& report, const Device& device,
                                                 const LaunchOptions& launch, Seconds time, std::size_t threads,
                                                 const std::function<void(std::size_t, std::size_t)>& done = {});

/// The range of the time by the assumed trips of loops and shares of branches, seconds: from the least to the largest
/// time with other values, each assumption by itself. Nothing where none are assumed.
std::optional<Interval> time_by_guesses(const std::vector<AssumptionTimes>& all, Seconds time);

}  // namespace warpipe
