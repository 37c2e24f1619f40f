#pragma once

#include <string>

#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// Writes a kernel so that reading it gives the same kernel, but for the places of its parts.
/// @return JSON text: two spaces a level, an instruction a line, keys in the order of the format's description; what is
///         empty or missing is left out
std::string write_kernel_json(const Kernel& kernel);

}  // namespace warpipe
