#pragma once

#include <vector>

#include "warpipe/isa/entry.hpp"
#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// The kernels of a file: parameters and limits of their launches.
std::vector<isa::Entry> entries(const Module& module);

}  // namespace warpipe::sass
