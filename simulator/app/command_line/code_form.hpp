#pragma once

#include <string>

#include "command_line/arguments.hpp"
#include "warpipe/inputs/import_request.hpp"

namespace warpipe::app {

/// Reads code in the form that --form, other options or WARPIPE_FORM ask for.
/// @param target  what compilers call the device; may be empty
/// @throws as read_code
code::Module read_module(const TextFile& file, const GivenLaunch& given, const Arguments& arguments,
                         const std::string& target);

}  // namespace warpipe::app
