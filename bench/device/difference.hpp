#pragma once

#include <functional>
#include <string>

namespace measure {

/// The measurements of a launch.
struct Run {
  double cycles = 0;      ///< by the units' clock counters
  double time_us = 0;     ///< by events around the launch
  int full_units = 0;     ///< units with exactly the planned warps
  bool together = false;  ///< whether the warps of each full unit ran at the same time
};

/// A long launch less a short launch: common parts - launch, start of the groups, loops - are gone.
struct Difference {
  double cycles = 0;
  double time_us = 0;
  double clock_mhz = 0;  ///< cycles / time, seen during these launches; 0 if the times do not differ
  double spread = 0;     ///< (largest - smallest) / median of the cycles of the repeats
  int full_units = 0;    ///< the fewest of all launches
  std::string problem;   ///< why it does not count; empty if it counts
};

/// @param repeats  pairs that count; a pair before them warms up
Difference difference(int repeats, const std::function<Run()>& short_run, const std::function<Run()>& long_run);

/// The number of trips of a loop for about this many cycles.
/// @param cycles_of_a_trip  at least 0
/// @return                  from `least` to `most`
int trips_for(double cycles, double cycles_of_a_trip, int least, int most);

}  // namespace measure
