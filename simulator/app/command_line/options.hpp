#pragma once

#include <cstddef>
#include <vector>

#include "command_line/arguments.hpp"
#include "terminal/messages.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {
struct ModelInputs;
}

namespace warpipe::app {

/// The options of all verbs that take a launch.
OptionTable launch_option_table();
/// @throws UsageError for a wrong value, and for a name that is given twice
LaunchOptions read_launch_options(const Arguments& arguments);

/// Adds --range, for a verb that predicts times.
/// @param by_default  what a verb does without it, as the help says: "on"
void add_range_option(OptionTable& options, const std::string& by_default);
/// @return whether to say where predicted times lie: --range, else `by_default`
bool read_range(const Arguments& arguments, bool by_default);

/// Adds --tolerance, for a verb that predicts times of launches as they are.
void add_tolerance_option(OptionTable& options);
/// @return --tolerance as a fraction; 0 without it
double read_tolerance(const Arguments& arguments);

/// The numbers of --set-device.
std::vector<LaunchOptions::SetNumber> read_set_device(const Arguments& arguments);

/// --quiet and --help, which all verbs have.
OptionTable plain_option_table();
/// The plain options and --data, for verbs that search for shipped files.
OptionTable common_option_table();
/// The common options and --cache, for verbs that simulate: their answers are kept.
OptionTable kept_option_table();

/// @return Quiet if --quiet is given
Voice read_voice(const Arguments& arguments);

/// @return --threads; 0 stands for all cores
std::size_t read_threads(const Arguments& arguments);

/// Adds --model-input: values that the models of the literature need and no file gives.
void add_model_options(OptionTable& options);
/// @throws UsageError for a name that no model knows, with the nearest one, and for a value below 0
ModelInputs read_model_options(const Arguments& arguments);

}  // namespace warpipe::app
