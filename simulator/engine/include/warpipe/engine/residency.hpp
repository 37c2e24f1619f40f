#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/idg/units.hpp"

namespace warpipe {

/// The number of resident groups on the units, over the time of a run. Events in skipped periods of a steady state are
/// spread evenly over their time: the total is exact, a bucket then has the mean of a period.
struct Residency {
  Ticks width;  ///< of a bucket, a whole number of cycles in a run of that length; the last bucket ends with the run
  std::vector<Ticks> occupied;  ///< by bucket: the time of resident groups, summed over the slots of all units
  Ticks total;                  ///< of all buckets, exactly
  std::int64_t peak = 0;        ///< the most groups that a unit holds at a time
  Ticks tail;                   ///< from when the first slot stays empty for good to the end
};

}  // namespace warpipe
