#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "warpipe/idg/op.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Accesses to global memory as a device with levels knows them.

namespace warpipe {

/// What the name of an op says: "global.load.l1.64" is a load of 64 bits per lane that l1 serves.
struct MemoryOp {
  AccessKind kind = AccessKind::Load;
  std::string_view row;                    ///< the name without width and level: "global.load"
  std::optional<std::int64_t> width_bits;  ///< per lane
  std::optional<std::size_t> level;        ///< index into Memory::levels; named in old files only
};

/// @return nothing for a device without levels, and for an op that is no access to global memory, or one with a part
///         that is neither a width nor a level: "global.load.dma"
std::optional<MemoryOp> memory_op(std::string_view name, const Device& device);

/// The level that serves an access of which the kernel says neither addresses nor levels: the one in its name, else for
/// atomics the first that all units share, else the memory behind the caches.
/// @param levels  at least one
/// @return        index into them
/// @source        rule 4 of the model
std::size_t level_of_the_unknown(const MemoryOp& access, const std::vector<MemoryLevel>& levels);

}  // namespace warpipe
