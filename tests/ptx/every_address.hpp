#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/ptx/import.hpp"

namespace warpipe::test {

/// Bytes from the start of an array, by lane; AccessPattern::kNotActive for an inactive lane.
using LaneAddresses = std::vector<std::int64_t>;
/// By line of the PTX: the addresses of a warp, execution by execution.
using WarpAddresses = std::map<std::uint32_t, std::vector<LaneAddresses>>;

/// Addresses of global and thread-private memory reached by the warps of some groups, found by executing every
/// iteration of every loop. No two accesses may stand on one line.
/// @param groups  their indices in the launch
/// @return        by group, by warp
std::vector<std::vector<WarpAddresses>> executed_addresses(const ptx::Module& module, const ptx::ImportOptions& options,
                                                           const std::vector<std::int64_t>& groups);

/// Addresses of a warp by a kernel's expressions, found by walking through its loops.
/// @param group  its index in the launch
WarpAddresses stated_addresses(const Kernel& kernel, std::int64_t group, std::int64_t warp);

}  // namespace warpipe::test
