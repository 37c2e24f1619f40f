#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Numbers as a user writes them in an option or a CSV, read the same in every locale.

namespace warpipe {

/// Reads a number in decimal or scientific notation.
/// @return the finite number spelled by the whole text; nothing for any other text, blanks and a leading + included
std::optional<double> parse_number(std::string_view text);

/// @return whether the value is whole, at least `least` and at most 2^53
bool is_whole(double value, std::int64_t least);

/// @return the nearest number with this many significant digits; infinities and NaN unchanged
double rounded(double value, int digits);

}  // namespace warpipe
