#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "warpipe/engine/critical_path.hpp"
#include "warpipe/predict/predict.hpp"

/// The critical path of a launch: what the run time is made of, and the chain of events that ends it.

namespace warpipe {

/// "group launch", "group dispatch", "warp interval", "result", "pipeline", "transit", "queue full", "scheduler",
/// "barrier", "drain".
std::string to_string(PathEdge edge);

/// Links of the path that are alike.
struct PathPart {
  PathEdge edge = PathEdge::Launch;
  std::string instruction;  ///< whose result, whose place in the pipeline, ...; empty where none is behind it
  std::string pipeline;     ///< of a pipeline, a queue or a transit; else empty
  std::int64_t links = 0;
  Ticks time;
};

/// A stretch of the path: links alike one after the other, or a body of stretches that comes again and again.
struct PathStretch {
  PathEdge edge = PathEdge::Launch;
  std::string cause, effect;  ///< instructions; empty where a group came or ended
  std::string pipeline;
  std::int64_t links = 0;
  std::int64_t comes = 1;  ///< of a body: how often; of one inside another body: in all
  Ticks from, to;          ///< of its first link, of its last
  Ticks time;              ///< of all its links; inside a body less than from its first to its last
  bool omitted = false;    ///< too many stretches: what stood here is only summed up
  std::vector<PathStretch> body;
};

struct FollowedPath {
  Prediction prediction;
  std::vector<PathPart> parts;  ///< the longest first; they add up to the cycles of the run
  std::int64_t links = 0;       ///< with a length; those without are left out everywhere but in the next
  std::array<std::int64_t, kPathEdges> warp_changes{};  ///< by edge: how often the path goes to another warp
  std::vector<PathStretch> chain;                       ///< in the order of time
};

inline constexpr std::int64_t kMostFollowed = 300'000'000;  ///< warp instructions: a minute or two

/// Simulates a kernel on a device as predict() does, but every instruction of it, and follows what decided its end.
/// @param most_issued  of warp instructions
/// @throws as predict; ModelError for more warp instructions, and as trace_critical_path
/// @complexity about five times predict without skipping
FollowedPath follow_path(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                         std::int64_t most_issued = kMostFollowed);

/// The same of a launch that is ready to be played.
/// @param options  those that it was made playable with
FollowedPath follow_path(const Playable& played, const LaunchOptions& options,
                         std::int64_t most_issued = kMostFollowed);

}  // namespace warpipe
