#pragma once

#include <string>
#include <string_view>

namespace warpipe::app {

/// @param field  of the libraries' options: "group_size"
/// @return       the flag that sets it, "--group-size"; the field itself if no flag does
std::string flag_of(std::string_view field);

/// Shows the fields between backquotes in a message of the libraries as flags: "`units = all`" becomes "--units all",
/// "`set ffma.issue`" becomes "--set ffma.issue". Other text between backquotes stays as it is.
std::string with_flags(std::string_view message);

}  // namespace warpipe::app
