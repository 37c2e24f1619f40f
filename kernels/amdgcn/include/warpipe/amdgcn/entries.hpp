#pragma once

#include <string>
#include <vector>

#include "warpipe/amdgcn/module.hpp"
#include "warpipe/isa/entry.hpp"

namespace warpipe::amdgcn {

/// The kernels of a module as users see them. Without metadata the parameters are those that the instructions load, by
/// where they begin. What cannot be read says so in `problem`.
std::vector<isa::Entry> entries(const Module& module);

}  // namespace warpipe::amdgcn
