#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/place.hpp"
#include "warpipe/latency_tables/device.hpp"

/// The costs of lane addresses: bank conflicts of shared memory, transactions of global memory.

namespace warpipe {

/// Lane addresses of one warp access, from base 0.
struct LaneAccess {
  std::int64_t width_bytes = 4;             ///< per lane; 1 to 2^53
  std::vector<std::int64_t> offsets_bytes;  ///< by active lane, at least one; -2^53 to 2^53
  std::vector<std::int64_t> lanes{};        ///< the active lanes, ascending; empty: the first lanes, as many as offsets
  std::int64_t warp_size = 0;               ///< if `lanes` are given
};

/// Evaluates an access pattern for the lanes of a warp. Addresses in an array come from the first execution by warp 0
/// of the first group; an address that differs by kind comes from the first group of each kind. Thread i is lane i, all
/// counters are 0. Words of 4 bytes of thread-private memory lie side by side for the lanes of a warp.
/// @param values     parameters, group_size, warps, warp, values of the group's kind
/// @param warp_size  lanes
/// @param shape      of the launch, for addresses in an array
/// @throws ModelError for an expression that fails, a number of lanes other than warp_size, an address beyond 2^53,
///         more than 2^20 lanes; `where` is the key within the pattern: "/stride_bytes"
/// @source formats, "Access"
LaneAccess lane_access(const AccessPattern& pattern, const Values& values, std::int64_t warp_size,
                       const LaunchShape& shape = {});

/// Counts the distinct words in the busiest bank; lanes on the same word share a broadcast at no cost. An access wider
/// than a bank word is served in parts of ceil(lanes of a warp / words of a lane) lanes. Its degree is 1 plus the
/// excess above 1 of each part's degree.
/// @return >= 1
/// @throws ModelError for a degree above 2^53; `where` is "/width_bytes"
/// @complexity n log n in the lanes, whatever their width and the number of banks
/// @source formats, "Kernel (an IDG)"
std::int64_t bank_conflict_degree(const LaneAccess& access, const Memory& memory);

/// Counts the distinct aligned segments of memory.transaction_bytes touched.
/// @return >= 1
/// @complexity n log n in the lanes, whatever their width
/// @source formats, "Kernel (an IDG)"
std::int64_t transactions(const LaneAccess& access, const Memory& memory);

/// Counts the segments of a warp's access if each lane touched the bytes behind its predecessor's.
/// @param device  with segments in its memory
/// @throws ModelError for a width without a value; `where` is empty
std::int64_t transactions_of_neighbours(const AccessPattern& pattern, const Values& values, const Device& device);

}  // namespace warpipe
