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

/// What the warps of a whole launch did, summed over the kinds of its groups.
struct Tally {
  std::vector<double> runs;   ///< by block: how often a warp ran it
  std::vector<double> lanes;  ///< by block: active lanes, summed over the runs of the whole launch
  std::map<std::uint32_t, AccessStatistics> accesses;  ///< by instruction
  std::map<std::uint32_t, LoopTally> loops;            ///< by header, those that are entered
};

Tally tally(const ControlFlow& flow, const Survey& survey);

/// Makes the statistics, gathered of some groups, those of the whole launch: a record's are taken as often as it
/// happens. What was gathered for none of a record goes to the others of its loop.
void extrapolate(const ControlFlow& flow, Survey& survey);

}  // namespace warpipe::isa
