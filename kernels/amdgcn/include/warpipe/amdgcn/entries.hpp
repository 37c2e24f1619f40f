#pragma once

#include <string>
#include <vector>

#include "warpipe/amdgcn/module.hpp"
#include "warpipe/isa/entry.hpp"

namespace warpipe::amdgcn {

/// The kernels of a module for users. Without metadata the parameters are the words loaded by the instructions, by
/// their offsets. An unreadable kernel has the reason in `problem`.
std::vector<isa::Entry> entries(const Module& module);

}  // namespace warpipe::amdgcn
