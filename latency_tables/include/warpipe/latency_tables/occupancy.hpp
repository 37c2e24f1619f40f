#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/latency_tables/device.hpp"

/// The groups that a compute unit holds at a time, their limits, and the distance to the next step (rule 9 of the
/// model).

namespace warpipe {

/// The resources of a group.
struct GroupNeeds {
  std::int64_t group_size = 1;               ///< threads
  std::int64_t registers_per_thread = 0;     ///< 0: unknown, does not bind
  std::int64_t shared_memory_per_group = 0;  ///< bytes; 0: does not bind
};

enum class OccupancyLimit { Groups, Warps, Registers, SharedMemory };
/// "groups", "warps", "registers", "shared memory".
std::string to_string(OccupancyLimit limit);

/// The groups allowed by a limit.
struct LimitBound {
  OccupancyLimit limit;
  std::int64_t groups;  ///< resident groups allowed by this limit
  /// The largest use of the resource with which a further group would fit by this limit, in the unit of the user's
  /// input: registers per thread, bytes of shared memory per group, threads per group. Empty if no value would.
  std::optional<std::int64_t> next_step;
  friend bool operator==(const LimitBound&, const LimitBound&) = default;
};

struct Occupancy {
  std::int64_t warps_per_group = 1;
  std::optional<std::int64_t> groups;    ///< M; empty if no limit binds
  std::vector<LimitBound> bounds;        ///< of binding limits, in the order of OccupancyLimit
  std::vector<OccupancyLimit> limiters;  ///< the limits with the smallest number of groups
};

/// @throws ModelError for a group that fits no unit: too many threads, too much shared memory, too many registers per
///         thread, or M = 0; the diagnostic names the resource, the need, the limit and the largest fitting value
/// @complexity constant
/// @source rule 9 of the model
Occupancy occupancy(const GroupNeeds& needs, const Limits& limits, std::int64_t warp_size);

/// The bytes of a unit taken by a group: its request and the device's reserve, in whole portions.
std::int64_t shared_memory_taken(std::int64_t per_group, const Limits& limits);

}  // namespace warpipe
