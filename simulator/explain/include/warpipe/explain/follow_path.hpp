#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "warpipe/engine/critical_path.hpp"
#include "warpipe/idg/units.hpp"

/// The critical path of a launch: the parts of the run time, and the chain of events that ends it.

namespace warpipe {

/// "group launch", "group dispatch", "warp interval", "result", "pipeline", "transit", "queue full", "scheduler",
/// "barrier", "drain".
std::string to_string(PathEdge edge);

/// Like links of the path.
struct PathPart {
  PathEdge edge = PathEdge::Launch;
  std::string instruction;  ///< with the awaited result, in the pipeline, ...; empty where there is none
  std::string pipeline;     ///< of a pipeline, a queue or a transit; else empty
  std::int64_t links = 0;
  Ticks time;
};

/// A stretch of the path: like links one after the other, or a repeated body of stretches.
struct PathStretch {
  PathEdge edge = PathEdge::Launch;
  std::string cause, effect;  ///< instructions; empty where a group came or ended
  std::string pipeline;
  std::int64_t links = 0;
  std::int64_t comes = 1;  ///< repetitions of a body; of an inner body the total over all repetitions of the outer body
  Ticks from, to;          ///< of its first link, of its last
  Ticks time;              ///< of all its links; inside a body less than from its first to its last
  bool omitted = false;    ///< there are too many stretches: some of them are summed up here
  std::vector<PathStretch> body;
};

struct FollowedPath {
  Ticks cycles;                 ///< of the run
  std::vector<PathPart> parts;  ///< the longest first; they add up to the cycles of the run
  std::int64_t links = 0;       ///< with a length; links without are left out everywhere but in the next
  std::array<std::int64_t, kPathEdges> warp_changes{};  ///< by edge: how often the path goes to another warp
  std::vector<PathStretch> chain;                       ///< in the order of time
};

}  // namespace warpipe
