#include "warpipe/explain/follow_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "path_folding.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::array<const char*, kPathEdges> kNames{"group launch", "group dispatch", "warp interval", "result",
                                                     "pipeline",     "transit",        "queue full",    "scheduler",
                                                     "barrier",      "drain"};

constexpr std::uint32_t kNobody = UINT32_MAX;

bool has_pipeline(PathEdge edge) {
  return edge == PathEdge::Pipeline || edge == PathEdge::Transit || edge == PathEdge::Backlog;
}

/// What links are alike in: instructions as indices of the kernel, or kNobody.
struct LinkKind {
  PathEdge edge = PathEdge::Launch;
  std::uint32_t pipeline = 0, cause = kNobody, effect = kNobody;
  friend auto operator<=>(const LinkKind&, const LinkKind&) = default;
};

/// Adds links up and folds them as they come.
class Gathering {
 public:
  explicit Gathering(const Playable& played) : played_(played) {}

  void add(const PathLink& link) {
    const auto edge = static_cast<std::size_t>(link.edge);
    const bool of_warps = link.cause.step != kNoStep && link.effect.step != kNoStep;
    if (of_warps && link.cause.warp_slot != link.effect.warp_slot) ++path_.warp_changes[edge];
    if (link.from == link.to) return;
    ++path_.links;
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

  /// All but the prediction.
  FollowedPath path() const {
    FollowedPath path = path_;
    path.parts = parts();
    for (const FoldedStretch& stretch : folding_.stretches()) path.chain.push_back(named(stretch));
    return path;
  }

 private:
  struct Sum {
    std::int64_t links = 0;
    Ticks time;
  };

  std::uint32_t instruction(const PathPoint& point) const {
    if (point.step == kNoStep) return kNobody;
    return played_.program.streams[point.stream].instructions[point.step];
  }

  std::string id(std::uint32_t instruction) const {
    return instruction == kNobody ? std::string() : played_.kernel.instructions[instruction].id;
  }

  std::string pipeline(const LinkKind& kind) const {
    return has_pipeline(kind.edge) ? played_.device.pipelines[kind.pipeline].name : std::string();
  }

  /// Who waits does not matter here; of a barrier, who came last.
  std::vector<PathPart> parts() const {
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

  PathStretch named(const FoldedStretch& folded) const {
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

  const Playable& played_;
  FollowedPath path_;
  std::map<LinkKind, std::uint32_t> numbers_;
  std::vector<LinkKind> kinds_;
  std::vector<Sum> sums_;  ///< by kind
  PathFolding folding_;
};

void require_followable(const Program& program, std::int64_t most_issued) {
  const std::int64_t issued = instructions_issued(program);
  if (issued > most_issued)
    throw ModelError(Diagnostic{
        "critical path", fmt::format("it can be followed through at most {} warp instructions", most_issued),
        fmt::format("found {}", issued), "use fewer `groups` or smaller trip counts: the path repeats itself"});
}

}  // namespace

std::string to_string(PathEdge edge) { return kNames[static_cast<std::size_t>(edge)]; }

FollowedPath follow_path(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                         std::int64_t most_issued) {
  return follow_path(playable(kernel, device, options), options, most_issued);
}

FollowedPath follow_path(const Playable& played, const LaunchOptions& options, std::int64_t most_issued) {
  require_followable(played.program, most_issued);
  Gathering gathering(played);
  const RunResult result = trace_critical_path(played.program, [&](const PathLink& link) { gathering.add(link); });
  FollowedPath path = gathering.path();
  path.prediction = prediction_of(played, options, result);
  return path;
}

}  // namespace warpipe
