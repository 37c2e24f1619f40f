#pragma once

#include <string>

#include "command_line/arguments.hpp"
#include "warpipe/inputs/import_request.hpp"
#include "warpipe/inputs/machine_code.hpp"

namespace warpipe::app {

/// The form that is asked for, or that other options mean: what they name is in PTX alone, or is compared with it.
Form read_form(const Arguments& arguments, const GivenLaunch& given);

/// Reads code in the form that --form, other options or WARPIPE_FORM ask for.
/// @param target  what compilers call the device; may be empty
/// @throws as read_code
code::Module read_module(const TextFile& file, const GivenLaunch& given, const Arguments& arguments,
                         const std::string& target);

}  // namespace warpipe::app
