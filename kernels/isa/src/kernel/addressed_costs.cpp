#include "kernel/addressed_costs.hpp"

#include <algorithm>

#include "lanes/access_cost.hpp"

namespace warpipe::isa {
namespace {

constexpr auto kWord = static_cast<std::int64_t>(kWordBytes);

/// Arguments are numbers by now.
LaunchShape shape_of(const Kernel& kernel, const Launch& launch) {
  LaunchShape shape{launch.block[0], launch.block[1], launch.grid[0], launch.grid[1], {}};
  for (const auto& array : kernel.arrays)
    shape.arrays.push_back({array.bytes.evaluate_whole({}, 1), array.thread_private});
  return shape;
}

}  // namespace

AddressedCosts::AddressedCosts(const Kernel& kernel, const Launch& launch, std::int64_t lanes, const AccessSizes& sizes)
    : shape_(shape_of(kernel, launch)),
      threads_(launch.block[0] * launch.block[1] * launch.block[2]),
      lanes_(lanes),
      sizes_(sizes) {}

std::optional<AddressedCosts::Cost> AddressedCosts::of(const warpipe::Instruction& instruction,
                                                       const std::function<bool(const std::string&)>& is_of_kinds) {
  if (!instruction.access) return std::nullopt;
  const auto width = instruction.access->width_bytes.evaluate_whole({}, 1);
  if (const auto* samples = std::get_if<AccessPattern::Sampled>(&instruction.access->lanes))
    return cost_of(samples->executions.front(), samples->array, width);
  const auto* pattern = std::get_if<AccessPattern::Addressed>(&instruction.access->lanes);
  if (pattern == nullptr) return std::nullopt;
  if (std::ranges::any_of(pattern->address.names(), is_of_kinds)) return std::nullopt;
  const auto [known, is_new] = known_.try_emplace({pattern->address.text(), pattern->array, width});
  if (is_new) known->second = cost_of(*pattern, width);
  return known->second;
}

AddressedCosts::Cost AddressedCosts::cost_of(const AccessPattern::Addressed& pattern, std::int64_t width) const {
  Values values;
  for (const auto& name : pattern.address.names()) values[name] = 0;  // counters of loops
  set_group(values, shape_, 0);
  std::vector<std::int64_t> addresses;
  for (std::int64_t lane = 0; lane < std::min(lanes_, threads_); ++lane) {
    set_thread(values, shape_, lane, lane);
    addresses.push_back(pattern.address.evaluate_whole(values, -kLargestWhole));
  }
  return cost_of(addresses, pattern.array, width);
}

/// Of thread-private memory, words of neighbouring lanes are neighbours.
AddressedCosts::Cost AddressedCosts::cost_of(const std::vector<std::int64_t>& addresses, std::size_t array,
                                             std::int64_t width) const {
  const auto& reached = shape_.arrays[array];
  std::vector<std::uint64_t> pieces;
  for (std::int64_t lane = 0; lane < std::ssize(addresses); ++lane) {
    const auto address = addresses[static_cast<std::size_t>(lane)];
    if (!is_inside(reached, address)) continue;
    if (!reached.thread_private) pieces.push_back(static_cast<std::uint64_t>(address));
    for (auto at = address; reached.thread_private && at < address + width; at += kWord)
      pieces.push_back(static_cast<std::uint64_t>((at / kWord * lanes_ + lane) * kWord + at % kWord));
  }
  if (pieces.empty()) pieces.push_back(0);
  std::ranges::sort(pieces);
  const auto bytes = static_cast<std::uint64_t>(reached.thread_private ? std::min(width, kWord) : width);
  return {blocks_touched(pieces, bytes, sizes_.sector_bytes), blocks_touched(pieces, bytes, sizes_.line_bytes)};
}

}  // namespace warpipe::isa
