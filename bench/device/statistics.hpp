#pragma once

#include <vector>

namespace measure {

/// @return  the middle value, or the mean of the two middle values; 0 for no values
double median(std::vector<double> values);

/// The results of several repeats of a measurement.
struct Summary {
  double median = 0;
  double spread = 0;  ///< (largest - smallest) / median; 0 for a median of 0
};
Summary summarize(const std::vector<double>& values);

/// Start and end of a warp in cycles of its unit's clock.
struct Stamp {
  long long start;
  long long stop;
  unsigned unit;
  bool met;  ///< whether all groups of the unit were there at its start
};

/// The busy time of the units in a launch with the same number of groups on each.
struct UnitSpans {
  double median_cycles = 0;   ///< over the full units, of last stop - first start
  double longest_cycles = 0;  ///< the largest span of a full unit
  int full_units = 0;         ///< units with exactly the planned warps
  bool together = false;      ///< in each full unit all warps started with all groups there
};

/// @param stamps          by warp, in any order
/// @param warps_per_unit  the planned number of resident warps
/// @return                zeros and false if no unit held exactly this number
UnitSpans unit_spans(const std::vector<Stamp>& stamps, int warps_per_unit);

}  // namespace measure
