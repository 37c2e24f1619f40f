#include "planning.hpp"

#include <algorithm>
#include <limits>

namespace measure {
namespace {

ResidentGroups fewest_of(const Session& session, const std::vector<const void*>& kernels) {
  for (const void* kernel : kernels) allow_all_shared_memory(kernel, session.device());
  return [kernels](int group_size, std::size_t local_bytes) {
    int fewest = std::numeric_limits<int>::max();
    for (const void* kernel : kernels) fewest = std::min(fewest, resident_groups(kernel, group_size, local_bytes));
    return fewest;
  };
}

std::vector<Residency> fit(const Session& session, const std::vector<Residency>& all, std::size_t quick) {
  return session.options().quick ? thinned(all, quick) : all;
}

}  // namespace

std::vector<Residency> plan_for(const Session& session, const std::vector<const void*>& kernels, std::size_t quick) {
  const auto resident = fewest_of(session, kernels);
  return fit(session, one_for_each_warp_count(all_residencies(session.device().limits, resident)), quick);
}

std::vector<Residency> plan_for_group_size(const Session& session, const void* kernel, int group_size,
                                           std::size_t quick) {
  const auto resident = fewest_of(session, {kernel});
  return fit(session, residencies(group_size, session.device().limits, resident), quick);
}

}  // namespace measure
