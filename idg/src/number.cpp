#include "warpipe/idg/number.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "warpipe/idg/units.hpp"

namespace warpipe {

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  // from_chars also reads "inf" and "nan", impossible in options and measurements.
  if (error != std::errc{} || rest != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_whole(double value, std::int64_t least) {
  return std::trunc(value) == value && value >= static_cast<double>(least) &&
         value <= static_cast<double>(kLargestWhole);
}

double rounded(double value, int digits) {
  return parse_number(fmt::format("{:.{}e}", value, digits - 1)).value_or(value);
}

}  // namespace warpipe
