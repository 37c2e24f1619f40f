#pragma once

#include <cstddef>
#include <vector>

#include "survey/survey.hpp"

namespace warpipe::isa {

/// Fewer kinds of groups, each for those of nearly its work.
struct KindClusters {
  std::vector<GroupKind> kinds;  ///< with the groups of all that each stands for
  std::vector<std::size_t> of;   ///< by kind: what stands for it
  double within = 0;             ///< the furthest that a kind's work is from that of what stands for it, as a share
  double total = 0;              ///< how much more all groups work than what stands for them, as a share
};

/// Lets at most `most` kinds stand for all: neighbours by work, with as small differences within as it takes.
/// @complexity kinds x log
KindClusters cluster_kinds(const std::vector<GroupKind>& kinds, std::size_t most);

/// The order of what stands for the kinds; runs that meet are one.
std::vector<GroupKinds::Run> renamed(const std::vector<GroupKinds::Run>& order, const std::vector<std::size_t>& names);

/// Makes kinds one that have the same values for all warps, and those that no group is of go.
void merge_equal_kinds(GroupKinds& kinds);

}  // namespace warpipe::isa
