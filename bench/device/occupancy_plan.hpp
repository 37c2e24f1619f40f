#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace measure {

/// A limit on the resident groups of a launch, set by unused shared memory.
struct Residency {
  int group_size = 0;           ///< threads
  int groups = 0;               ///< resident on each unit
  std::size_t local_bytes = 0;  ///< dynamic local (shared) memory to request per group
  int warps = 0;                ///< resident on each unit
};

/// The bounds of the search.
struct PlanLimits {
  int warp_size = 32;
  int threads_per_group = 1024;
  std::size_t local_bytes_per_group = 0;  ///< most bytes of a group
};

/// Returns the number of groups of a size with this much dynamic shared memory that fit on a unit at once. It never
/// rises with bytes.
using ResidentGroups = std::function<int(int group_size, std::size_t local_bytes)>;

/// Every number of resident groups that shared memory can limit a launch to.
/// @param group_size  threads
/// @return            ascending in groups, each with the most bytes for it; some numbers cannot be reached
std::vector<Residency> residencies(int group_size, const PlanLimits& limits, const ResidentGroups& resident_groups);

/// All pairs of group size (powers of two from a warp up) and reachable number of groups.
std::vector<Residency> all_residencies(const PlanLimits& limits, const ResidentGroups& resident_groups);

/// For each number of resident warps, the residency with the fewest groups: they start soonest.
/// @return  ascending in warps
std::vector<Residency> one_for_each_warp_count(const std::vector<Residency>& all);

/// At most `count` of them, evenly spread, the first and the last included.
std::vector<Residency> thinned(const std::vector<Residency>& all, std::size_t count);

}  // namespace measure
