#include "kernel/slot_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kernel/kernel_builder.hpp"

namespace warpipe::isa {

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
