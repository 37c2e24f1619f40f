#pragma once

#include <cstdint>

namespace warpipe {

/// The relation of the simulated groups to the groups of the launch: all of them, or a sample for one unit.
struct GroupSample {
  std::int64_t kinds = 1;            ///< of the launch
  std::int64_t kinds_simulated = 1;  ///< of these
  double excess = 0;   ///< mean instructions of a simulated group / mean instructions of all groups, less 1
  double largest = 1;  ///< instructions of the largest group of the launch / instructions of an average group
  friend bool operator==(const GroupSample&, const GroupSample&) = default;
};

}  // namespace warpipe
