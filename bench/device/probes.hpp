#pragma once

#include <string>
#include <vector>

namespace measure {

/// What a row of a probe says of its run.
enum class Quantity {
  Cycles,         ///< by the units' clock counters
  Time,           ///< by events, without what a launch costs
  TimeWithLaunch  ///< by events
};

/// A row of probes.json.
struct Probe {
  const char* name;
  Quantity quantity;
  const char* fits;  ///< the numbers that `warpipe calibrate --probe` fits to it, blanks between them; empty: a check
};

/// All rows of probes.json, in its order. One run can give rows of two quantities under one name.
const std::vector<Probe>& probe_rows();

/// Those of one name.
/// @throws std::logic_error where there are none
std::vector<Probe> rows_of_probe(const std::string& name);

}  // namespace measure
