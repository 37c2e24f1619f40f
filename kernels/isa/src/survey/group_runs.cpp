#include "survey/group_runs.hpp"

#include <algorithm>
#include <cstddef>

namespace warpipe::isa {
namespace {

constexpr std::int64_t kMostRuns = 1 << 16;

void append(std::vector<GroupKinds::Run>& runs, const GroupKinds::Run& run) {
  if (!runs.empty() && runs.back().kind == run.kind)
    runs.back().groups += run.groups;
  else
    runs.push_back(run);
}

}  // namespace

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
  // The longest prefix that is also the end of each part of the list: D. E. Knuth, J. H. Morris, V. R. Pratt, "Fast
  // pattern matching in strings", SIAM J. Comput. 6(2), 1977. The last run may end early.
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
