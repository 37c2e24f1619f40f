#pragma once

#include <string>
#include <string_view>

namespace warpipe {

/// Advice for a number with a unit, as no option takes units.
/// @return "write 4000, or 4096 for 4 x 1024" for "4K"; empty for other texts
std::string advice_on_unit(std::string_view text);

}  // namespace warpipe
