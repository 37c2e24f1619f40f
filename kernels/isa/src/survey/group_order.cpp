#include "survey/group_order.hpp"

#include <algorithm>
#include <iterator>

namespace warpipe::isa {
namespace {

using Run = GroupKinds::Run;
using Boxes = std::vector<const GroupBox*>;

constexpr std::int64_t kMostRuns = 1 << 16;

void append(std::vector<Run>& runs, const Run& run) {
  if (!runs.empty() && runs.back().kind == run.kind)
    runs.back().groups += run.groups;
  else
    runs.push_back(run);
}

/// Runs along the first `axes` axes; the boxes share a place along each further axis.
/// @param begins_anew  the runs start over at their end, so a repeated pattern is needed only once
std::vector<Run> runs_along(std::size_t axes, Boxes boxes, bool begins_anew) {
  if (axes == 0) return {{boxes.front()->kind, 1}};
  const auto side = [&](const GroupBox* box) -> const PlacesAlong& { return box->sides[axes - 1]; };
  const auto step = side(boxes.front()).step;
  const auto begin = [&](const GroupBox* box) { return side(box).first / step; };
  const auto end = [&](const GroupBox* box) { return begin(box) + side(box).places; };
  std::vector<std::int64_t> edges;
  for (const auto* box : boxes) edges.insert(edges.end(), {begin(box), end(box)});
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::ranges::sort(boxes, {}, begin);
  begins_anew = begins_anew && edges.size() == 2;
  std::vector<Run> all;
  Boxes here;
  auto next = boxes.begin();
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    std::erase_if(here, [&](const GroupBox* box) { return end(box) <= edges[i]; });
    for (; next != boxes.end() && begin(*next) <= edges[i]; ++next) here.push_back(*next);
    std::vector<Run> once;
    for (std::int64_t rest = 0; rest < step; ++rest) {
      Boxes of_rest;
      std::ranges::copy_if(here, std::back_inserter(of_rest),
                           [&](const GroupBox* box) { return side(box).first % step == rest; });
      if (!of_rest.empty())
        append_repeated(once, runs_along(axes - 1, std::move(of_rest), begins_anew && step == 1), 1);
    }
    append_repeated(all, once, begins_anew ? 1 : edges[i + 1] - edges[i]);
  }
  return all;
}

}  // namespace

std::vector<Run> order_of(const std::vector<GroupBox>& boxes) {
  Boxes all;
  for (const auto& box : boxes) all.push_back(&box);
  auto runs = runs_along(boxes.front().sides.size(), std::move(all), true);
  std::int64_t groups = 0, in_order = 0;
  for (const auto& [sides, kind] : boxes) groups += sides[0].places * sides[1].places * sides[2].places;
  for (const auto& run : runs) in_order += run.groups;
  return in_order == groups ? shorten_runs(runs) : runs;  // the last run of a part of the groups does not end early
}

void append_repeated(std::vector<GroupKinds::Run>& runs, const std::vector<GroupKinds::Run>& pattern,
                     std::int64_t times) {
  const auto length = static_cast<std::int64_t>(pattern.size());
  if (length == 1) {
    append(runs, {pattern.front().kind, pattern.front().groups * times});
    return;
  }
  const auto rounds = std::min(times, std::max<std::int64_t>(1, kMostRuns / std::max<std::int64_t>(1, length)));
  for (std::int64_t round = 0; round < rounds; ++round) {
    const auto as_one = times / rounds + (round < times % rounds ? 1 : 0);
    for (const auto& run : pattern) append(runs, {run.kind, run.groups * as_one});
  }
}

std::vector<GroupKinds::Run> shorten_runs(const std::vector<GroupKinds::Run>& runs) {
  // The longest prefix that ends each part of the list, too: D. E. Knuth, J. H. Morris, V. R. Pratt, "Fast pattern
  // matching in strings", SIAM J. Comput. 6(2), 1977. The last run may end early.
  std::vector<std::size_t> prefix(runs.size(), 0);
  const auto equal = [&](std::size_t at, std::size_t early) {
    if (at + 1 == runs.size()) return runs[at].kind == runs[early].kind && runs[at].groups <= runs[early].groups;
    return runs[at] == runs[early];
  };
  for (std::size_t at = 1; at < runs.size(); ++at) {
    auto length = prefix[at - 1];
    while (length > 0 && !equal(at, length)) length = prefix[length - 1];
    prefix[at] = equal(at, length) ? length + 1 : 0;
  }
  const auto period = runs.size() - (runs.empty() ? 0 : prefix.back());
  return {runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(period)};
}

}  // namespace warpipe::isa
