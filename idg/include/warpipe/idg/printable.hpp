#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace warpipe {

/// Shows the control characters of a text from a file as JSON writes them: a terminal would obey them, and a name with
/// a line break would break a line in two.
/// @param kept  control characters to leave as they are
/// @return      `a\u001b[31mb\n` in place of a red b and a line break
std::string printable(std::string_view text, std::string_view kept = {});

/// A count with its noun: "1 group", "3 groups".
std::string counted(std::integral auto count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace warpipe
