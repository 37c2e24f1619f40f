#pragma once

#include <string>

#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// Writes a kernel as JSON. Reading the text gives the same kernel, except for the places of its parts.
/// @return JSON text: two spaces per level, a line per instruction, keys in the order of the format's description;
///         empty and missing parts are left out
std::string write_kernel_json(const Kernel& kernel);

}  // namespace warpipe
