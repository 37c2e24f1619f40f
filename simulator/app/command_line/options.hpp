#pragma once

#include <cstddef>
#include <string>

#include "command_line/arguments.hpp"
#include "terminal/messages.hpp"
#include "warpipe/predict/launch.hpp"
#include "warpipe/predict/run_within.hpp"

namespace warpipe {
struct ModelInputs;
}

namespace warpipe::app {

/// Reads the options that have a place in an object into it: of LaunchOptions, GivenLaunch or DataSheet.
/// @throws UsageError for a wrong value, and for a name given twice
template <class Object>
void read_places(const Arguments& arguments, Object& object);

/// The places of a launch, and the numbers of --set.
/// @throws UsageError as read_places
LaunchOptions read_launch_options(const Arguments& arguments);

/// @return whether to give the ranges of predicted times: --range, else `by_default`
bool read_range(const Arguments& arguments, bool by_default);

/// @return --tolerance as a fraction, else `by_default`
double read_tolerance(const Arguments& arguments, double by_default = kUsualTolerance);

/// Reads the value of --array: `uniform:LIMIT`, `rows:LENGTH`, or a file of numbers with blanks or commas between them.
/// @param option  for messages
isa::ArrayValues read_array(const std::string& option, const std::string& value);

/// @return Quiet if --quiet is given
Voice read_voice(const Arguments& arguments);

/// @return --threads; 0 stands for all cores
std::size_t read_threads(const Arguments& arguments);

/// Values that the models of the literature need and no file gives: --model-input.
/// @throws UsageError for a value below 0
ModelInputs read_model_options(const Arguments& arguments);

}  // namespace warpipe::app
