#pragma once

#include "command_line/arguments.hpp"
#include "warpipe/baselines/models.hpp"

namespace warpipe::app {

/// Adds --model-input, what the models of the literature ask for and no file says.
void add_model_options(OptionTable& options);
/// @throws UsageError for a name that no model asks for, with the nearest one, and a value below 0
ModelInputs read_model_options(const Arguments& arguments);

}  // namespace warpipe::app
