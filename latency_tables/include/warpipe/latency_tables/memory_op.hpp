#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "warpipe/idg/op.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Ops of accesses to global memory on a device with levels.

namespace warpipe {

/// An access told from the name of its op: "global.load.l1.64" is a load of 64 bits per lane served by l1.
struct MemoryOp {
  AccessKind kind = AccessKind::Load;
  std::string_view row;                    ///< the name without width and level: "global.load"
  std::optional<std::int64_t> width_bits;  ///< per lane
  std::optional<std::size_t> level;        ///< index into Memory::levels; named in old files only
};

/// @return nothing for a device without levels, and for an op that is no access to global memory, or has a part besides
///         width and level: "global.load.dma"
std::optional<MemoryOp> memory_op(std::string_view name, const Device& device);

/// The level serving an access without addresses or levels in the kernel: the level in its name, else for atomics the
/// first level shared by all units, else the memory behind the caches.
/// @param levels  at least one
/// @return        index into them
/// @source        rule 4 of the model
std::size_t level_of_the_unknown(const MemoryOp& access, const std::vector<MemoryLevel>& levels);

}  // namespace warpipe
