#pragma once

#include <vector>

#include "warpipe/isa/entry.hpp"
#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// The kernels of a file: what each takes and how it may be launched.
std::vector<isa::Entry> entries(const Module& module);

}  // namespace warpipe::sass
