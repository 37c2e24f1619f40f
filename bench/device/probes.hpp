#pragma once

#include <string>
#include <vector>

namespace measure {

/// The quantity in a row of a probe.
enum class Quantity {
  Cycles,         ///< by the units' clock counters
  Time,           ///< by events, without the cost of a launch
  TimeWithLaunch  ///< by events
};

/// A row of probes.json.
struct Probe {
  const char* name;
  Quantity quantity;
  const char* fits;  ///< the numbers fitted to it by `warpipe calibrate --probe`, blanks between them; empty: a check
};

/// All rows of probes.json, in its order. A run can give rows of two quantities under the same name.
const std::vector<Probe>& probe_rows();

/// The rows of a probe.
/// @throws std::logic_error if there are none
std::vector<Probe> rows_of_probe(const std::string& name);

}  // namespace measure
