#pragma once

#include <string>
#include <string_view>

namespace warpipe {

/// What to write for a number with a unit, which no option takes.
/// @return "write 4000, or 4096 for 4 x 1024" of "4K"; empty for other texts
std::string advice_on_unit(std::string_view text);

}  // namespace warpipe
