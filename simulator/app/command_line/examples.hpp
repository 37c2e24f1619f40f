#pragma once

#include <span>
#include <string_view>

namespace warpipe::app {

/// @return calls of a verb to begin with, in the folder of the source: "warpipe simulate mmul16 --device gtx1060"; at
///         least one of each verb
std::span<const std::string_view> examples_of(std::string_view verb);

}  // namespace warpipe::app
