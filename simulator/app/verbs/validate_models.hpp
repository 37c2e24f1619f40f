#pragma once

#include <vector>

#include "command_line/arguments.hpp"
#include "warpipe/accuracy/accuracy.hpp"

namespace warpipe::app {

/// Adds --models and what the models ask for.
void add_models_options(OptionTable& options);

/// Whether `validate` was asked to score the models of the literature too.
/// @throws UsageError with --resume or --gate, which they do not have
bool asks_for_models(const Arguments& arguments);

/// Scores them on the same rows as the simulation, and writes the result in the form that the arguments ask for.
void validate_models(const Arguments& arguments, const std::vector<Measurement>& rows, const Lookup<Kernel>& kernels,
                     const Lookup<Device>& devices);

}  // namespace warpipe::app
