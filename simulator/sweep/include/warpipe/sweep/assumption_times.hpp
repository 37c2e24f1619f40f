#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/code/module.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {

/// What an import assumed, and the time with other values in its place.
struct AssumptionTimes {
  /// Numbers go on by eights until the time moves, and `value` is that with which it did, or the last one that was
  /// tried.
  struct Other {
    std::string value;
    std::optional<Seconds> time;  ///< nothing where it cannot be imported or predicted
    std::string error;            ///< then why
    bool moves = false;           ///< the time is another, by at least kMoves
  };
  static constexpr double kMoves = 0.0005;  ///< what shows as 0.1 %
  isa::Assumption assumption;
  std::vector<Other> others;  ///< none where it was not examined
  double most = 0;            ///< by which share of the time the others move it, at most
};

/// How much the time of a launch moves where an assumption is another, each by itself: one or two further imports and
/// simulations of each, and up to six where it does not move at once. What only data tell comes first, then arguments
/// and the size of the launch; at most 16, and fewer where the launch reaches much memory, or takes long to import.
/// @param options  of the import, as they were given
/// @param report   of it, with what it assumed
/// @param time     with all of that as it is
/// @param done     called after each simulation with how many are done, of how many; may be empty
/// @return         those that move it most first; then those that were not examined
std::vector<AssumptionTimes> examine_assumptions(const code::Module& module, const isa::ImportOptions& options,
                                                 const isa::ImportReport& report, const Device& device,
                                                 const LaunchOptions& launch, Seconds time, std::size_t threads,
                                                 const std::function<void(std::size_t, std::size_t)>& done = {});

/// Where the time lies by the trips of loops and the shares of branches that are assumed, seconds: between the least
/// and the most of it with others, each by itself. Nothing where none are.
std::optional<Interval> time_by_guesses(const std::vector<AssumptionTimes>& all, Seconds time);

}  // namespace warpipe
