#include "kernel/slot_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kernel/kernel_builder.hpp"

namespace warpipe::isa {
namespace {

/// Consecutive warps of a list, all of them in a part of it: [first, last].
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

Expression SlotValues::condition(const Slots& some, const Slots& all, const std::string& about) {
  std::vector<std::optional<bool>> in(warps_);
  bool by_warp = true;
  std::vector<std::pair<std::uint32_t, std::int64_t>> values;
  std::size_t at = 0;
  for (const auto slot : all) {
    const bool is_in = at < some.size() && some[at] == slot;
    at += is_in ? 1 : 0;
    values.emplace_back(slot, is_in ? 1 : 0);
    auto& known = in[slot % warps_];
    by_warp = by_warp && known.value_or(is_in) == is_in;
    known = is_in;
  }
  if (!by_warp) return number(values, about);
  Warps those, of;
  for (std::size_t warp = 0; warp < warps_; ++warp) {
    if (in[warp]) of.push_back(static_cast<std::int64_t>(warp));
    if (in[warp].value_or(false)) those.push_back(static_cast<std::int64_t>(warp));
  }
  return expression_of(warp_condition(those, of));
}

Expression SlotValues::number(const std::vector<std::pair<std::uint32_t, std::int64_t>>& values,
                              const std::string& about, std::int64_t of_others) {
  std::map<std::int64_t, std::int64_t> by_warp;
  const auto others = static_cast<double>(of_others);
  GroupKinds::Column all(kinds_, std::vector<double>(warps_, others));
  std::vector<std::optional<std::int64_t>> by_kind(kinds_);
  bool warp_decides = true, kind_decides = true;
  for (const auto& [slot, value] : values) {
    auto& kinds = by_kind[kind_of(slot)];
    const auto [known, is_new] = by_warp.emplace(warp_of(slot), value);
    warp_decides = warp_decides && known->second == value;
    kind_decides = kind_decides && kinds.value_or(value) == value;
    kinds = value;
    all[kind_of(slot)][slot % warps_] = static_cast<double>(value);
  }
  if (warp_decides) return expression_of(warp_table(by_warp));
  if (kind_decides)
    for (std::size_t kind = 0; kind < kinds_; ++kind)
      all[kind] = {static_cast<double>(by_kind[kind].value_or(of_others))};
  return column(std::move(all), about);
}

Expression SlotValues::column(GroupKinds::Column column, const std::string& about) {
  const auto [found, is_new] = names_.emplace(std::move(column), about);
  if (is_new) {
    for (int number = 2; columns_.contains(found->second); ++number)
      found->second = fmt::format("{}_{}", about, number);
    columns_.emplace(found->second, found->first);
  }
  const std::vector<std::string> visible{found->second};
  return Expression::parse(found->second, visible);
}

}  // namespace warpipe::isa
