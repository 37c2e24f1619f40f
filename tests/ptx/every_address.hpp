#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/ptx/import.hpp"

namespace warpipe::test {

/// Bytes from the start of an array, by lane; AccessPattern::kNotActive of a lane that takes no part.
using LaneAddresses = std::vector<std::int64_t>;
/// By line of the PTX: those of a warp, execution by execution.
using WarpAddresses = std::map<std::uint32_t, std::vector<LaneAddresses>>;

/// What the warps of some groups reach in global and thread-private memory, by executing every iteration of every loop.
/// No two accesses may stand on one line.
/// @param groups  their indices in the launch
/// @return        by group, by warp
std::vector<std::vector<WarpAddresses>> executed_addresses(const ptx::Module& module, const ptx::ImportOptions& options,
                                                           const std::vector<std::int64_t>& groups);

/// What a kernel says that a warp reaches where it has an expression, by walking through its loops.
/// @param group  its index in the launch
WarpAddresses stated_addresses(const Kernel& kernel, std::int64_t group, std::int64_t warp);

}  // namespace warpipe::test
