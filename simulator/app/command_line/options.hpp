#pragma once

#include <cstddef>

#include "command_line/arguments.hpp"
#include "terminal/messages.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe::app {

/// The options of every verb that simulates.
OptionTable launch_option_table();
/// @throws UsageError for a value that is none, or one that is given twice for the same name
LaunchOptions read_launch_options(const Arguments& arguments);

/// --quiet and --help, which every verb has.
OptionTable plain_option_table();
/// Those and --data, for verbs that look for shipped files.
OptionTable common_option_table();

/// @return what --quiet asks for
Voice read_voice(const Arguments& arguments);

/// @return --threads; 0: all cores
std::size_t read_threads(const Arguments& arguments);

}  // namespace warpipe::app
