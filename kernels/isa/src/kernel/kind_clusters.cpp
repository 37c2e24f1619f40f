#include "kernel/kind_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "survey/group_order.hpp"

namespace warpipe::isa {
namespace {

using Numbers = std::vector<std::size_t>;

/// Cuts kinds, sorted by work, wherever the work is above a factor times the work of the cluster's first kind.
std::vector<Numbers> cut(const std::vector<GroupKind>& kinds, const Numbers& by_work, double factor) {
  std::vector<Numbers> clusters;
  for (const auto kind : by_work) {
    if (clusters.empty() || kinds[kind].work > factor * kinds[clusters.back().front()].work) clusters.emplace_back();
    clusters.back().push_back(kind);
  }
  return clusters;
}

std::vector<Numbers> cut_into(const std::vector<GroupKind>& kinds, std::size_t most) {
  Numbers by_work(kinds.size());
  std::iota(by_work.begin(), by_work.end(), std::size_t{0});
  std::ranges::stable_sort(by_work, std::less<>(), [&](std::size_t kind) { return kinds[kind].work; });
  double low = 0, high = 1e-6;  // of log(factor)
  while (cut(kinds, by_work, std::exp(high)).size() > most && high < 50) high *= 2;
  for (int i = 0; i < 40; ++i) {
    const auto middle = (low + high) / 2;
    (cut(kinds, by_work, std::exp(middle)).size() > most ? low : high) = middle;
  }
  return cut(kinds, by_work, std::exp(high));
}

}  // namespace

KindClusters cluster_kinds(const std::vector<GroupKind>& kinds, std::size_t most) {
  KindClusters result{kinds, Numbers(kinds.size()), 0, 0};
  std::iota(result.of.begin(), result.of.end(), std::size_t{0});
  if (kinds.size() <= most) return result;
  result.kinds.clear();
  double carried = 0, all = 0;
  for (const auto& cluster : cut_into(kinds, most)) {
    double groups = 0, work = 0;
    for (const auto kind : cluster) {
      groups += kinds[kind].groups;
      work += kinds[kind].groups * kinds[kind].work;
      result.of[kind] = result.kinds.size();
    }
    // Makes up for too much or too little work in earlier clusters.
    const auto wanted = (work + carried) / groups;
    auto made = kinds[*std::ranges::min_element(cluster, std::less<>(),
                                                [&](std::size_t kind) { return std::abs(kinds[kind].work - wanted); })];
    for (const auto kind : cluster)
      if (made.work > 0) result.within = std::max(result.within, std::abs(kinds[kind].work / made.work - 1));
    made.groups = groups;
    carried += work - groups * made.work;
    all += work;
    result.kinds.push_back(std::move(made));
  }
  result.total = all > 0 ? carried / all : 0;
  return result;
}

std::vector<GroupKinds::Run> renamed(const std::vector<GroupKinds::Run>& order, const std::vector<std::size_t>& names) {
  std::vector<GroupKinds::Run> result;
  for (const auto& run : order)
    append_repeated(result, {{static_cast<std::int64_t>(names[static_cast<std::size_t>(run.kind)]), run.groups}}, 1);
  return shorten_runs(result);
}

void merge_equal_kinds(GroupKinds& kinds) {
  std::map<std::vector<std::vector<double>>, std::size_t> names;
  Numbers name_of, kept;
  for (std::size_t kind = 0; kind < kinds.values.begin()->second.size(); ++kind) {
    std::vector<std::vector<double>> values;
    for (const auto& [name, column] : kinds.values) values.push_back(column[kind]);
    const auto [found, is_new] = names.emplace(std::move(values), names.size());
    if (is_new) kept.push_back(kind);
    name_of.push_back(found->second);
  }
  for (auto& [name, column] : kinds.values) {
    GroupKinds::Column values;
    for (const auto kind : kept) values.push_back(column[kind]);
    column = std::move(values);
  }
  kinds.of_group = renamed(std::get<std::vector<GroupKinds::Run>>(kinds.of_group), name_of);
}

}  // namespace warpipe::isa
