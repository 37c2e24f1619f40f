#pragma once

#include <string>
#include <string_view>

namespace warpipe {

/// Shows the control characters of a text from a file as JSON writes them, since a terminal would obey them, and since
/// a name with a line break would make two lines of one.
/// @param kept  control characters that stay as they are
/// @return      `a\u001b[31mb\n` in place of a red b and a line break
std::string printable(std::string_view text, std::string_view kept = {});

}  // namespace warpipe
