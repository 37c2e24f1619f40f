#pragma once

#include <cstdint>

namespace warpipe {

/// How the simulated groups stand for those of the launch: all of them, or the sample that one unit simulates.
struct GroupSample {
  std::int64_t kinds = 1;            ///< of the launch
  std::int64_t kinds_simulated = 1;  ///< of these
  double excess = 0;   ///< the instructions of a simulated group, on average, over those of all groups; less 1
  double largest = 1;  ///< the instructions of the largest group of the launch over those of an average one
  friend bool operator==(const GroupSample&, const GroupSample&) = default;
};

}  // namespace warpipe
