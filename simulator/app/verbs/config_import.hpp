#pragma once

#include "command_line/arguments.hpp"
#include "terminal/exit_status.hpp"

namespace warpipe::app {

/// @return whether the arguments of `import` name configuration files of a simulator, by their ending
bool names_simulator_config(const Arguments& arguments);

/// Writes the device of a simulator's configuration files, or tells what was found in them.
/// @throws UsageError for options that are for PTX; InputError as import_simulator_config
ExitStatus import_config(const Arguments& arguments);

}  // namespace warpipe::app
