#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace warpipe::isa {

/// What a comparison came to: its first number less its second one.
struct ComparedValues {
  bool any = false;                    ///< it was executed
  std::int64_t least = 0, most = 0;    ///< of all lanes that executed it
  std::int64_t first = 0, latest = 0;  ///< of the lowest lane the first time, of the highest one the last time
  std::pair<std::int64_t, std::int64_t> sides = {};  ///< both numbers of the latest
  void add(std::int64_t one, std::int64_t other);
};

/// What warps met that were executed with sizes that are but tried. Such a size decides nothing: where a branch depends
/// on it, lanes go both ways, and a loop that it ends goes round once.
struct SizeTrial {
  std::map<std::uint32_t, ComparedValues> comparisons;  ///< by instruction, of those that are of interest
  /// Likewise: where the lanes reach of which that is known, one after the other, of each execution behind those of the
  /// one before.
  std::map<std::uint32_t, std::vector<std::uint64_t>> accesses;
};

}  // namespace warpipe::isa
