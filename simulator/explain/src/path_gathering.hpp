#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "path_folding.hpp"
#include "warpipe/explain/follow_path.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {

inline constexpr std::int64_t kMostFollowed = 300'000'000;  ///< warp instructions: a minute or two

/// Adds up the links of a critical path, and folds them as they come.
class PathGathering {
 public:
  /// @param launch       outlives this
  /// @param most_issued  warp instructions that a launch may issue for its path to be followed
  /// @throws ModelError for a launch of more warp instructions
  explicit PathGathering(const LoweredLaunch& launch, std::int64_t most_issued = kMostFollowed);

  void add(const PathLink& link);

  /// @param cycles  of the run
  FollowedPath path(Ticks cycles) const;

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// Links of the same kind are alike. Instructions are indices into the kernel's, or kNone.
  struct LinkKind {
    PathEdge edge = PathEdge::Launch;
    std::uint32_t pipeline = 0, cause = kNone, effect = kNone;
    friend auto operator<=>(const LinkKind&, const LinkKind&) = default;
  };

  struct Sum {
    std::int64_t links = 0;
    Ticks time;
  };

  std::uint32_t instruction(const PathPoint& point) const;
  std::string id(std::uint32_t instruction) const;
  std::string pipeline(const LinkKind& kind) const;
  std::vector<PathPart> parts() const;
  PathStretch named(const FoldedStretch& folded) const;

  const LoweredLaunch& launch_;
  std::int64_t links_ = 0;
  std::array<std::int64_t, kPathEdges> warp_changes_{};
  std::map<LinkKind, std::uint32_t> numbers_;
  std::vector<LinkKind> kinds_;
  std::vector<Sum> sums_;  ///< by kind
  PathFolding folding_;
};

}  // namespace warpipe
