#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/baselines/workload.hpp"
#include "warpipe/latency_tables/rates.hpp"

/// The models of the literature on the inputs of a simulation. The work-flow-graph model of Baghsorkhi et al. (PPoPP
/// 2010) is not among them: its equations are not public.

namespace warpipe {

enum class Model { Roofline, OccupancyRoofline, LittlesLaw, Volkov, HongKim, GpuPerf, ZhangOwens, GpuMech, Gcom };
/// "roofline", "occupancy-roofline", "littles-law", "volkov", "hong-kim", "gpuperf", "zhang-owens", "gpumech", "gcom".
std::string to_string(Model model);
std::optional<Model> parse_model(std::string_view name);
/// All of them, from the simplest on.
std::vector<Model> all_models();

/// Inputs known to neither graph nor table, each with a default beside it.
struct ModelInputs {
  double outstanding_misses = 0;  ///< MSHRs of a unit, for gpumech and gcom; 0: no limit
  double sync_factor = 64;        ///< Gamma of gpuperf; 64 is its value for a Tesla C2050
  double matrix_flops = 0;        ///< operations of an `mma`, for roofline; 0: unknown
};

/// The estimate of a model.
struct Estimate {
  Model model = Model::Roofline;
  std::optional<Cycles> cycles;  ///< of the launch
  std::string limiter;           ///< in the model's own words; may be empty
  std::string why_not;           ///< where there are no cycles
};

/// Applies a model. Never throws for a workload outside the model's scope: the estimate says why.
/// @param rates  op_rates of the device, for the roofline's peak
Estimate estimate(Model model, const Workload& workload, const std::vector<OpRate>& rates,
                  const ModelInputs& inputs = {});

/// All models on a launch.
/// @throws as predict
std::vector<Estimate> estimates(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                                const ModelInputs& inputs = {});

}  // namespace warpipe
