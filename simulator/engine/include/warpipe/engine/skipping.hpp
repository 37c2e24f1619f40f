#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpipe {

/// Whether to skip repeated work: periods of a steady state, and units in step with another unit. The result is the
/// same. Verify simulates both ways and compares the results.
enum class Skipping { Off, On, Verify };
/// "off", "on", "verify".
std::string to_string(Skipping skipping);
std::optional<Skipping> parse_skipping(std::string_view name);

}  // namespace warpipe
