#pragma once

#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe::app {

/// Evaluates a kernel's expressions with its own values, as far as they are known without a device: what uses
/// `warps` or `warp` is left out, and so is a body that may not run.
/// @return a diagnostic for each expression that fails
std::vector<Diagnostic> check_with_defaults(const Kernel& kernel);

}  // namespace warpipe::app
