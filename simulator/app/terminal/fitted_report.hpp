#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpipe::app {

/// Fits a report to the width of a terminal; narrow parts stay as they are.
///
///     stalls  share  cycles        a wider table goes on below,
///     loads   3.1 %   1.2e6        with its first column again
///
///     stalls  text
///     loads   y[i] = a * x…        source text at its end is cut, or left out where it has no room
///
/// Words at the end of a table and paragraphs are broken at blanks. No number is cut or left out; a first column that
/// is wider, and a word, stand out. Empty lines end tables and paragraphs.
/// @param width  columns
std::string fitted_report(std::string_view report, std::size_t width);

/// @return whether a line is wider
bool is_wider(std::string_view report, std::size_t width);

}  // namespace warpipe::app
