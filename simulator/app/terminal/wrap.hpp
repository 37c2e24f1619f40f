#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpipe::app {

/// Breaks a text at its blanks.
/// @param width  bytes of a line at most, but for a longer word
/// @return       the lines, at least one
std::vector<std::string> wrap(const std::string& text, std::size_t width);

}  // namespace warpipe::app
