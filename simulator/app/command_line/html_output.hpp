#pragma once

#include <optional>

#include "command_line/arguments.hpp"
#include "terminal/output.hpp"

namespace warpipe::app {

/// What help says of --html.
inline constexpr const char* kHtmlHelp = "also a page with charts, one file that needs no network";

/// Where the page of --html goes; checked before the long work.
/// @return nothing where none is asked for
/// @throws UsageError for standard output, where the other results go; InputError where the file cannot be created or
///                    the program was built without charts
std::optional<Output> html_output(const Arguments& arguments);

}  // namespace warpipe::app
