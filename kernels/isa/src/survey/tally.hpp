#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "survey/survey.hpp"

namespace warpipe::isa {

/// How often warps entered a loop, and the iterations of each entry.
struct LoopTally {
  double entries = 0;
  Spread iterations;
};

/// Totals of a whole launch's warps, summed over the kinds of its groups.
struct Tally {
  std::vector<double> runs;   ///< by block: how often a warp ran it
  std::vector<double> lanes;  ///< by block: active lanes, summed over the runs of the whole launch
  std::map<std::uint32_t, AccessStatistics> accesses;  ///< by instruction
  std::map<std::uint32_t, LoopTally> loops;            ///< by header, entered loops only
};

Tally tally(const ControlFlow& flow, const Survey& survey);

/// Extrapolates the statistics of some groups to the whole launch: a record's statistics are scaled to its number of
/// occurrences. Occurrences of a record without statistics go to the other records of its loop.
void extrapolate(const ControlFlow& flow, Survey& survey);

}  // namespace warpipe::isa
