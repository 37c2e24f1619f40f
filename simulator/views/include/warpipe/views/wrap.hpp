#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpipe {

/// Breaks a text into lines at its blanks.
/// @param width  the most bytes in a line, except for a longer word
/// @return       at least one line
std::vector<std::string> wrap(const std::string& text, std::size_t width);

}  // namespace warpipe
