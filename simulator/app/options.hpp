#pragma once

#include <cstddef>

#include "arguments.hpp"
#include "warpipe/study/launch.hpp"

namespace warpipe::app {

/// The options of every verb that simulates.
OptionTable launch_option_table();
/// @throws UsageError for a value that is none, or one that is given twice for the same name
LaunchOptions read_launch_options(const Arguments& arguments);

/// --data, and --help.
OptionTable common_option_table();

/// @return --threads; 0: all cores
std::size_t read_threads(const Arguments& arguments);

}  // namespace warpipe::app
