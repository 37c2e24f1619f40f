#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/memory_traffic.hpp"

/// Kernels as their authors might change them.

namespace warpipe {

/// Lets the lanes of instructions reach neighbours: warp by warp, execution by execution, from the start of an array.
/// All together reach as many bytes as before, or as many as lanes ask for where these are fewer.
/// @param instructions  indices, of accesses to global memory
/// @param traffic       of the launch
/// @return              an edit of the kernel as read; empty where an instruction is in no array
std::function<void(Kernel&)> as_neighbours(const LoweredLaunch& launch, const std::vector<std::size_t>& instructions,
                                           const MemoryTraffic& traffic);

/// Makes floats of doubles, and leaves out conversions on the lines of the changed instructions.
std::function<void(Kernel&)> in_floats(const Kernel& kernel);

/// Lets the outermost loops around instructions run a share of their trips; empty where an instruction is in no loop.
std::function<void(Kernel&)> with_fewer_trips(const Kernel& kernel, const std::vector<std::size_t>& instructions,
                                              double share);

/// Lets loads in loops begin some trips before their results are used, as in an unrolled loop; empty where none can:
/// in no loop, or its address needs its own result.
std::function<void(Kernel&)> with_loads_ahead(const Kernel& kernel, const std::vector<std::size_t>& loads,
                                              std::int64_t trips);

}  // namespace warpipe
