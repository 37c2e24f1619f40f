#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "warpipe/caches/levels.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// What the levels do for an instruction, counted.
struct CountedAccess {
  double executions = 0;
  std::vector<double> found, share, sectors;  ///< by level: of the executions; per execution
  double compulsory_bytes = 0;
};

/// The caches by docs/caches.md as it is written, for every access of every group: bytes and sectors in sets and
/// lists, expressions evaluated lane by lane, nothing left out, nothing quick.
/// @return by instruction
std::map<std::size_t, CountedAccess> count_every_access(const Kernel& kernel, const Device& device,
                                                        const CacheLaunch& launch);

}  // namespace warpipe
