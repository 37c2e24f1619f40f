#pragma once

#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// Adds to a kernel the functions of its file to be linked by a loader, with their code behind the kernel's own (`nvcc
/// -rdc=true`): their names are then among its functions. A function with constants in conflict with the kernel's is
/// left out.
Kernel with_called_code(const Module& module, const Kernel& kernel);

}  // namespace warpipe::sass
