#pragma once

#include <vector>

namespace measure {

/// @return  the middle value, or the mean of the two middle ones; 0 for no values
double median(std::vector<double> values);

/// What several repeats of one measurement gave.
struct Summary {
  double median = 0;
  double spread = 0;  ///< (largest - smallest) / median; 0 for a median of 0
};
Summary summarize(const std::vector<double>& values);

/// Start and end of one warp in cycles of its unit's clock.
struct Stamp {
  long long start;
  long long stop;
  unsigned unit;
  bool met;  ///< whether it started when all groups of the unit were there
};

/// How long the units were busy in one launch that filled each with the same number of groups.
struct UnitSpans {
  double median_cycles = 0;   ///< over the full units, of last stop - first start
  double longest_cycles = 0;  ///< the largest of them
  int full_units = 0;         ///< units that held exactly the planned warps
  bool together = false;      ///< in each of them all warps started when all groups were there
};

/// @param stamps          one per warp, in any order
/// @param warps_per_unit  the planned number of resident warps
/// @return                zeros and false where no unit held exactly that many
UnitSpans unit_spans(const std::vector<Stamp>& stamps, int warps_per_unit);

}  // namespace measure
