#include "kernel/warp_sets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpipe::isa {
namespace {

/// Warps that follow one another among all that take part: [first, last].
struct Run {
  std::int64_t first, last;
  bool from_start, to_end;
};

std::vector<Run> runs_of(const Warps& some, const Warps& all) {
  std::vector<Run> runs;
  std::size_t at = 0;
  bool open = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool in = at < some.size() && some[at] == all[i];
    if (in && !open) runs.push_back({all[i], all[i], i == 0, false});
    if (in) {
      runs.back().last = all[i];
      runs.back().to_end = i + 1 == all.size();
      ++at;
    }
    open = in;
  }
  return runs;
}

std::string condition(const Run& run) {
  if (run.first == run.last) return fmt::format("warp == {}", run.first);
  if (run.from_start) return fmt::format("warp <= {}", run.last);
  if (run.to_end) return fmt::format("warp >= {}", run.first);
  return fmt::format("warp >= {} && warp <= {}", run.first, run.last);
}

}  // namespace

std::string warp_condition(const Warps& some, const Warps& all) {
  const auto runs = runs_of(some, all);
  std::string text;
  for (const auto& run : runs) {
    const auto one = runs.size() == 1 ? condition(run) : fmt::format("({})", condition(run));
    text += (text.empty() ? "" : " || ") + one;
  }
  return text;
}

std::string warp_table(const std::map<std::int64_t, std::int64_t>& values) {
  std::map<std::int64_t, Warps> by_value;
  Warps all;
  for (const auto& [warp, value] : values) {
    by_value[value].push_back(warp);
    all.push_back(warp);
  }
  if (by_value.size() == 1) return fmt::format("{}", by_value.begin()->first);
  std::string text;
  for (const auto& [value, warps] : by_value) {
    if (value == 0) continue;
    text += fmt::format("{}{} * ({})", text.empty() ? "" : " + ", value, warp_condition(warps, all));
  }
  return text;
}

}  // namespace warpipe::isa
