#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/baselines/device_rates.hpp"
#include "warpipe/explain/simulation.hpp"
#include "warpipe/sweep/sweep.hpp"
#include "warpipe/views/source_view.hpp"

namespace warpipe {

/// A prediction with its surroundings: the same launch at other occupancies and group sizes, the device's roofs, the
/// kernel's graph.
struct LaunchReport {
  Prediction base;                      ///< of the launch itself
  std::string sentence;                 ///< the limit, its place, and the effect of a change there
  Explanation explanation;              ///< where the time of its warps goes
  std::vector<SweepPoint> occupancies;  ///< over concurrent groups, ascending, the launch's own among them
  std::vector<SweepPoint> group_sizes;  ///< over group size and resident warps; failed where they do not fit
  std::string why_one_group_size;       ///< where there are none
  DeviceRates rates;                    ///< of the kernel's number formats, else of all
  std::string graph;                    ///< JSON of format "warpipe-graph", with latencies
  std::string why_no_graph;             ///< where it is too large to be drawn
  std::optional<TextTable> source;      ///< with the work of the launch at each line
};

/// Takes the answers of a simulation, and predicts the launches around it, at about a hundred points at most.
/// @param simulation  of the kernel on the device; asked for stalls
/// @param kernel      as read, without the options
/// @param device      as read, without the options
/// @param sources     at hand
/// @param threads     0: all cores; never changes the result
/// @param with_group_sizes  false: without `group_sizes`, most of the points
/// @throws as predict
LaunchReport launch_report(Simulation& simulation, const Kernel& kernel, const Device& device, std::size_t threads,
                           const Progress& progress = {}, bool with_group_sizes = true,
                           const std::vector<SourceText>& sources = {});

}  // namespace warpipe
