#pragma once

#include <string>

#include "command_line/arguments.hpp"
#include "warpipe/inputs/import_request.hpp"
#include "warpipe/inputs/machine_code.hpp"

namespace warpipe::app {

/// The requested form, or the form implied by other options: their names exist in PTX alone, or are compared with it.
Form read_form(const Arguments& arguments, const GivenLaunch& given);

/// Reads code in the form requested by --form, other options or WARPIPE_FORM.
/// @param target  the compilers' name for the device; may be empty
/// @throws as read_code
code::Module read_module(const TextFile& file, const GivenLaunch& given, const Arguments& arguments,
                         const std::string& target);

}  // namespace warpipe::app
