#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpipe {

/// Whether to skip work that repeats: periods of a steady state, and units that do the same as another one. The result
/// is the same. Verify simulates both ways and compares the results.
enum class Skipping { Off, On, Verify };
/// "off", "on", "verify".
std::string to_string(Skipping skipping);
std::optional<Skipping> parse_skipping(std::string_view name);

}  // namespace warpipe
