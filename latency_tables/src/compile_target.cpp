#include "warpipe/latency_tables/compile_target.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "warpipe/idg/nearest_name.hpp"

namespace warpipe {

std::optional<int> compute_capability(const Device& device) {
  constexpr std::string_view kWords = "compute capability ";
  const auto text = lower_case(device.architecture);
  const auto at = text.find(kWords);
  if (at == std::string::npos) return std::nullopt;
  const auto* const end = text.data() + text.size();
  int major = 0, minor = 0;
  const auto [point, error] = std::from_chars(text.data() + at + kWords.size(), end, major);
  if (error != std::errc{} || point == end || *point != '.' || major < 1 || major > 99) return std::nullopt;
  const auto [stop, wrong] = std::from_chars(point + 1, end, minor);
  if (wrong != std::errc{} || minor < 0 || minor > 9) return std::nullopt;
  return 10 * major + minor;
}

std::string gfx_target(const Device& device) {
  const auto text = lower_case(device.architecture);
  const auto at = text.find("gfx");
  if (at == std::string::npos) return {};
  const auto is_hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  const auto digits = text.begin() + static_cast<std::ptrdiff_t>(at) + 3;
  const auto end = std::find_if_not(digits, text.end(), is_hex);
  return digits == end ? "" : "gfx" + std::string(digits, end);
}

std::string compile_target(const Device& device) {
  const auto capability = compute_capability(device);
  return capability ? "sm_" + std::to_string(*capability) : gfx_target(device);
}

}  // namespace warpipe
