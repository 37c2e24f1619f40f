#include "warpipe/explain/follow_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "path_gathering.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

constexpr std::array<const char*, kPathEdges> kEdgeNames{"group launch", "group dispatch", "warp interval", "result",
                                                         "pipeline",     "transit",        "queue full",    "scheduler",
                                                         "barrier",      "drain"};

bool has_pipeline(PathEdge edge) {
  return edge == PathEdge::Pipeline || edge == PathEdge::Transit || edge == PathEdge::Backlog;
}

}  // namespace

std::string to_string(PathEdge edge) { return kEdgeNames[static_cast<std::size_t>(edge)]; }

PathGathering::PathGathering(const LoweredLaunch& launch, std::int64_t most_issued) : launch_(launch) {
  const std::int64_t issued = instructions_issued(launch.program);
  if (issued > most_issued)
    throw ModelError(Diagnostic{
        "critical path", fmt::format("it can be followed through at most {} warp instructions", most_issued),
        fmt::format("found {}", issued), "use fewer `groups` or smaller trip counts: the path repeats itself"});
}

void PathGathering::add(const PathLink& link) {
  const auto edge = static_cast<std::size_t>(link.edge);
  const bool of_warps = link.cause.step != kNoStep && link.effect.step != kNoStep;
  if (of_warps && link.cause.warp_slot != link.effect.warp_slot) ++warp_changes_[edge];
  if (link.from == link.to) return;
  ++links_;
  const LinkKind kind{link.edge, has_pipeline(link.edge) ? link.pipeline : 0, instruction(link.cause),
                      instruction(link.effect)};
  const auto [known, is_new] = numbers_.emplace(kind, static_cast<std::uint32_t>(kinds_.size()));
  if (is_new) {
    kinds_.push_back(kind);
    sums_.emplace_back();
  }
  Sum& sum = sums_[known->second];
  ++sum.links;
  sum.time = checked_add(sum.time, Ticks{link.to.count - link.from.count});
  folding_.add(known->second, link.from, link.to);
}

FollowedPath PathGathering::path(Ticks cycles) const {
  FollowedPath path;
  path.cycles = cycles;
  path.parts = parts();
  path.links = links_;
  path.warp_changes = warp_changes_;
  for (const FoldedStretch& stretch : folding_.stretches()) path.chain.push_back(named(stretch));
  return path;
}

std::uint32_t PathGathering::instruction(const PathPoint& point) const {
  if (point.step == kNoStep) return kNone;
  return launch_.program.streams[point.stream].instructions[point.step];
}

std::string PathGathering::id(std::uint32_t instruction) const {
  return instruction == kNone ? std::string() : launch_.kernel.instructions[instruction].id;
}

std::string PathGathering::pipeline(const LinkKind& kind) const {
  return has_pipeline(kind.edge) ? launch_.device.pipelines[kind.pipeline].name : std::string();
}

/// By cause, whichever instruction waits; a barrier by the last warp at it.
std::vector<PathPart> PathGathering::parts() const {
  std::map<std::tuple<PathEdge, std::uint32_t, std::uint32_t>, PathPart> parts;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const LinkKind& kind = kinds_[i];
    const std::uint32_t whose = kind.edge == PathEdge::Barrier ? kind.effect : kind.cause;
    PathPart& part = parts[{kind.edge, kind.pipeline, whose}];
    part.edge = kind.edge;
    part.instruction = id(whose);
    part.pipeline = pipeline(kind);
    part.links += sums_[i].links;
    part.time = checked_add(part.time, sums_[i].time);
  }
  std::vector<PathPart> sorted;
  for (auto& [key, part] : parts) sorted.push_back(std::move(part));
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &PathPart::time);
  return sorted;
}

PathStretch PathGathering::named(const FoldedStretch& folded) const {
  PathStretch stretch;
  stretch.links = folded.things;
  stretch.comes = folded.comes;
  stretch.from = folded.from;
  stretch.to = folded.to;
  stretch.time = folded.time;
  stretch.omitted = folded.shape == PathFolding::kOmitted;
  for (const FoldedStretch& each : folded.body) stretch.body.push_back(named(each));
  if (stretch.omitted || !stretch.body.empty()) return stretch;
  const LinkKind& kind = kinds_[folded.shape];
  stretch.edge = kind.edge;
  stretch.cause = id(kind.cause);
  stretch.effect = id(kind.effect);
  stretch.pipeline = pipeline(kind);
  return stretch;
}

}  // namespace warpipe
