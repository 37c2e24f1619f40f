#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"

/// The place of a thread in its launch, as visible to the addresses of a kernel beside the names of its body.

namespace warpipe {

/// The parts of a launch that the addresses of a kernel depend on.
struct LaunchShape {
  struct Array {
    std::int64_t bytes = 0;
    bool thread_private = false;
    friend bool operator==(const Array&, const Array&) = default;
  };
  std::int64_t block_x = kLargestWhole, block_y = 1;    ///< threads of a group; the rest is along z
  std::int64_t grid_x = kLargestWhole, grid_y = 1;      ///< groups of the launch; the rest is along z
  std::vector<Array> arrays;                            ///< as in Kernel::arrays
  NameSet names_of_kinds{};                             ///< `kind` and the values of the kinds
  std::map<std::int64_t, std::int64_t> first_groups{};  ///< of each kind, where addresses differ by kind
  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

/// @param values  the values visible to `work`: the parameters, group_size, warps and groups
/// @throws ModelError where a number is not whole or too small; `where` is its path in the kernel's file
LaunchShape launch_shape(const Kernel& kernel, const Values& values);

/// The names visible to addresses only, beside the counters of loops: lane, thread_x, ..., group, group_x, ...
std::span<const std::string> place_names();

/// Sets group, group_x, group_y and group_z.
/// @param group  its index in the launch
void set_group(Values& values, const LaunchShape& shape, std::int64_t group);

/// Sets lane, thread_x, thread_y and thread_z.
/// @param thread  its index in its group
/// @param lane    its index in its warp
void set_thread(Values& values, const LaunchShape& shape, std::int64_t thread, std::int64_t lane);

/// @return whether a lane with this address in an array is active
bool is_inside(const LaunchShape::Array& array, std::int64_t address);

/// The addresses of a warp in one of its executions, without their shift.
/// @param warp       its index in the launch: group x warps per group + index in the group
/// @param execution  from 0
const std::vector<std::int64_t>& sampled_addresses(const AccessPattern::Sampled& sampled, std::int64_t warp,
                                                   std::int64_t execution);

/// The shift added to the sampled addresses of a warp, modulo the bytes of their array.
/// @param bytes  of the array
std::int64_t sampled_shift(const AccessPattern::Sampled& sampled, std::int64_t warp, std::int64_t execution,
                           std::int64_t bytes);

}  // namespace warpipe
