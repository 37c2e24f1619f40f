#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/caches/levels.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// A step of a warp, as seen by caches.
struct ReferenceStep {
  enum { Access, Barrier, Wait } kind = Access;
  std::size_t instruction = 0;
  std::vector<std::int64_t> bytes{};  ///< of an access: their addresses, ascending
  double transactions = 0;            ///< of an access with explicit transactions
  std::size_t waited = 0;             ///< of a wait: the awaited step
};

/// All of a warp, lane by lane and trip by trip: "Places" of docs/caches.md.
/// @param frame  the number of the warp's frames of thread-private arrays
std::vector<ReferenceStep> reference_steps(const Kernel& kernel, const Device& device, const CacheLaunch& launch,
                                           std::int64_t group, std::int64_t warp, std::int64_t frame);

/// @return  the index of the array of an access with addresses
std::size_t reference_array(const AccessPattern& access);

/// @return  the bytes of the longest line of a level, at least 32
std::int64_t reference_longest_line(const Device& device);

}  // namespace warpipe
