#pragma once

#include <string>

#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// @return where a kernel rounds what it counts with a parameter: "/launch/groups", the trips of a loop; empty where it
///         does not. Such a parameter is a size, of which there is no half.
std::string rounded_with(const Kernel& kernel, const std::string& parameter);

}  // namespace warpipe
