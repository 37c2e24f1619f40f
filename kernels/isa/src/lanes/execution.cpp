#include "lanes/execution.hpp"

#include <algorithm>

namespace warpipe::isa {

std::int64_t warps_per_group(const ExecutionInput& input) {
  const auto& block = input.launch.block;
  return (block[0] * block[1] * block[2] + input.lanes - 1) / input.lanes;
}

bool draws_lanes(const Launch& launch) {
  return std::ranges::any_of(launch.taken, [](const auto& branch) { return branch.second > 0 && branch.second < 1; });
}

}  // namespace warpipe::isa
