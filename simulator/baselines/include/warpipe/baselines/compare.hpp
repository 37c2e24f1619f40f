#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/baselines/models.hpp"
#include "warpipe/sweep/sweep.hpp"

/// All models beside the simulation, over occupancy.

namespace warpipe {

/// One occupancy: the results of the simulation and of each model.
struct ComparedLaunch {
  std::int64_t concurrent_groups = 1, resident_warps = 1;
  std::optional<double> occupancy;  ///< share of the device's warps per unit
  Ticks simulated;
  std::vector<Estimate> estimates;      ///< per model, in the order of all_models
  std::optional<TimeRange> range = {};  ///< of the simulation, where the options ask for it
};

struct LaunchComparison {
  std::string kernel, device, device_title;
  Hertz clock{1};
  std::vector<ComparedLaunch> launches;  ///< by ascending occupancy
};

/// @return model / simulated; nothing where the model says nothing or the run takes no time
std::optional<double> ratio_to_simulation(const Estimate& estimate, Ticks simulated);

/// Applies all models at every possible number of groups on a unit, or at the number in the options.
/// @param threads  for the simulations; 0: all cores; never changes the result
/// @throws as predict
LaunchComparison compare_models(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                                const ModelInputs& inputs, std::size_t threads, const Progress& progress = {});

}  // namespace warpipe
