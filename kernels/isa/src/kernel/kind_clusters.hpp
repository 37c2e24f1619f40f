#pragma once

#include <cstddef>
#include <vector>

#include "survey/survey.hpp"

namespace warpipe::isa {

/// Clusters of kinds of groups with nearly the same work, and a kind to stand for each cluster.
struct KindClusters {
  std::vector<GroupKind> kinds;  ///< by cluster, with all groups of the cluster
  std::vector<std::size_t> of;   ///< by kind: its cluster
  double within = 0;             ///< largest difference in work between a kind and its cluster, as a share
  double total = 0;              ///< work of all groups beyond the work of the clusters' kinds, as a share
};

/// Makes at most `most` clusters of kinds: neighbours by work, with the smallest differences possible within them.
/// @complexity kinds x log
KindClusters cluster_kinds(const std::vector<GroupKind>& kinds, std::size_t most);

/// The order of the clusters in place of their kinds; runs that meet are joined.
std::vector<GroupKinds::Run> renamed(const std::vector<GroupKinds::Run>& order, const std::vector<std::size_t>& names);

/// Merges kinds with the same values for all warps; kinds left without a group are removed.
void merge_equal_kinds(GroupKinds& kinds);

}  // namespace warpipe::isa
