#include "occupancy_plan.hpp"

#include <map>

namespace measure {
namespace {

/// The most bytes with at least `groups` groups resident; with 0 bytes they are.
std::size_t most_bytes(int group_size, int groups, const PlanLimits& limits, const ResidentGroups& resident_groups) {
  std::size_t enough = 0;
  std::size_t too_many = limits.local_bytes_per_group + 1;
  while (too_many - enough > 1) {
    const std::size_t middle = enough + (too_many - enough) / 2;
    (resident_groups(group_size, middle) >= groups ? enough : too_many) = middle;
  }
  return enough;
}

}  // namespace

std::vector<Residency> residencies(int group_size, const PlanLimits& limits, const ResidentGroups& resident_groups) {
  std::vector<Residency> reachable;
  const int warps = (group_size + limits.warp_size - 1) / limits.warp_size;
  const int most = resident_groups(group_size, 0);
  for (int groups = 1; groups <= most; ++groups) {
    const std::size_t bytes = most_bytes(group_size, groups, limits, resident_groups);
    if (resident_groups(group_size, bytes) == groups) reachable.push_back({group_size, groups, bytes, groups * warps});
  }
  return reachable;
}

std::vector<Residency> all_residencies(const PlanLimits& limits, const ResidentGroups& resident_groups) {
  std::vector<Residency> all;
  for (int size = limits.warp_size; size <= limits.threads_per_group; size *= 2) {
    const auto some = residencies(size, limits, resident_groups);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<Residency> one_for_each_warp_count(const std::vector<Residency>& all) {
  std::map<int, Residency> by_warps;
  for (const Residency& residency : all) {
    const auto [place, is_new] = by_warps.emplace(residency.warps, residency);
    if (!is_new && residency.groups < place->second.groups) place->second = residency;
  }
  std::vector<Residency> chosen;
  for (const auto& [warps, residency] : by_warps) chosen.push_back(residency);
  return chosen;
}

std::vector<Residency> thinned(const std::vector<Residency>& all, std::size_t count) {
  if (all.size() <= count || count < 2) return all;
  std::vector<Residency> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(all[i * (all.size() - 1) / (count - 1)]);
  return chosen;
}

}  // namespace measure
