#pragma once

#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/baselines/models.hpp"

/// All models held against the same measurements as the simulation.

namespace warpipe {

/// The predictions of a model for all rows.
struct ModelScore {
  Model model = Model::Roofline;
  std::vector<std::optional<double>> predicted;  ///< per row, in the measured quantity
  std::vector<std::string> why_not;              ///< per row; empty where there is a prediction
  std::vector<ErrorSummary> summaries;           ///< per (kernel, device), as of the simulation
};

struct ModelAccuracy {
  Accuracy simulated;
  std::vector<ModelScore> models;  ///< in the order of all_models
};

/// Scores the simulation and every model on all rows. Rows outside a model's scope are counted as failed, never
/// dropped.
/// @param kernels, devices, options, threads  as of score; the kernel and device of a name are read again for the
///                 models
ModelAccuracy score_models(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels,
                           const Lookup<Device>& devices, const LaunchOptions& options, const ModelInputs& inputs,
                           std::size_t threads, const Progress& progress = {});

}  // namespace warpipe
