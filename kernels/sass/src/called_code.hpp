#pragma once

#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// A kernel with the functions of its file behind its own code that it calls and that are left to the loader to link to
/// it (`nvcc -rdc=true`): their names are then among its functions. One that has constants of its own at places where
/// the kernel has others stays away.
Kernel with_called_code(const Module& module, const Kernel& kernel);

}  // namespace warpipe::sass
