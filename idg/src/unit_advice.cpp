#include "warpipe/idg/unit_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "warpipe/idg/nearest_name.hpp"

namespace warpipe {

std::string advice_on_unit(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 9> kUnits{
      {{"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"%", 1}}};
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || !std::isfinite(value)) return {};
  auto unit = lower_case({rest, static_cast<std::size_t>(end - rest)});
  for (const char letter : {'b', 'i'})
    if (unit.size() > 1 && unit.back() == letter) unit.pop_back();
  const auto known = std::ranges::find(kUnits, unit, &std::pair<std::string_view, double>::first);
  if (known == kUnits.end()) return {};
  const auto advice = fmt::format("write {:.12g}", value * known->second);
  return unit == "k" ? fmt::format("{}, or {:.12g} for {} x 1024", advice, value * 1024, value) : advice;
}

}  // namespace warpipe
