#pragma once

#include <string_view>

namespace warpipe::isa {

/// The name of a region in the space of a thread: the registers and variables of functions that call themselves.
inline constexpr std::string_view kRecursionStack = "stack of recursion";

}  // namespace warpipe::isa
