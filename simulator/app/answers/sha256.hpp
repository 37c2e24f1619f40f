#pragma once

#include <string>
#include <string_view>

namespace warpipe::app {

/// @return in 64 hexadecimal digits
std::string sha256(std::string_view text);

}  // namespace warpipe::app
