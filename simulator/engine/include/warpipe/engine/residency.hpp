#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/run.hpp"

/// How many groups reside on the units, over the time of a run.

namespace warpipe {

struct Residency {
  Ticks width;                  ///< of a bucket; the last one ends with the run
  std::vector<Ticks> occupied;  ///< by bucket: the time that groups reside, summed over the slots of all units
  Ticks total;                  ///< of all buckets, exactly
  std::int64_t peak = 0;        ///< the most groups that a unit holds at a time
  Ticks tail;                   ///< the time from when on some slot stays empty
};

/// Plays a program and follows its groups. Where periods are skipped, what happened in them is spread evenly over their
/// time: the sum is exact, a bucket then has the mean of a period.
/// @param cycles   of the whole run
/// @param buckets  at most, >= 1; their width is a whole number of cycles where the run is that long
/// @param leap     as run(); every unit is played
/// @complexity as run(); memory in slots
Residency follow_groups(const Program& program, Ticks cycles, std::size_t buckets, Skipping leap = Skipping::On);

}  // namespace warpipe
