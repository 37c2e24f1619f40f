#include "warpipe/latency_tables/access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "diagnose.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kMostLanes = std::int64_t{1} << 20;

/// Rounds down, unlike integer division, so negative addresses fall into their own segments.
std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }

/// Consecutive units (bank words or segments), both ends included.
struct Range {
  std::int64_t first, last;
};

/// The units touched by any lane, as ranges without overlap.
std::vector<Range> touched(std::span<const std::int64_t> offsets, std::int64_t width, std::int64_t unit) {
  std::vector<std::int64_t> sorted(offsets.begin(), offsets.end());
  std::ranges::sort(sorted);
  std::vector<Range> ranges;
  for (const std::int64_t offset : sorted) {
    const Range lane{floor_divide(offset, unit), floor_divide(offset + width - 1, unit)};
    if (!ranges.empty() && lane.first <= ranges.back().last)
      ranges.back().last = std::max(ranges.back().last, lane.last);
    else
      ranges.push_back(lane);
  }
  return ranges;
}

/// The number of words in the busiest bank. A range goes round all banks a number of times, and once more through some
/// of them: these arcs are swept by their ends, so the number of banks does not matter.
std::int64_t most_words_in_a_bank(std::span<const Range> words, std::int64_t banks) {
  std::int64_t rounds = 0;
  std::map<std::int64_t, std::int64_t> change;  // of the number of arcs, at a bank
  for (const auto [first, last] : words) {
    const std::int64_t count = last - first + 1;
    rounds += count / banks;
    if (count % banks == 0) continue;
    const std::int64_t begin = first - floor_divide(first, banks) * banks;
    const std::int64_t end = begin + count % banks;
    ++change[begin];
    if (end > banks) ++change[0];
    --change[end > banks ? end - banks : end];
  }
  std::int64_t arcs = 0, most_arcs = 0;
  for (const auto& [bank, by] : change) most_arcs = std::max(most_arcs, arcs += by);
  return rounds + most_arcs;
}

std::int64_t whole_at(const char* key, const Expression& expression, const Values& values, std::int64_t least) {
  return detail::placed(key, [&] { return expression.evaluate_whole(values, least); });
}

std::vector<std::int64_t> strided(const Expression& expression, const Values& values, std::int64_t lanes) {
  const std::int64_t stride = whole_at("/stride_bytes", expression, values, -kLargestWhole);
  if (lanes > 1 && std::max(stride, -stride) > kLargestWhole / (lanes - 1))
    throw ModelError(Diagnostic{"/stride_bytes", "the address of a lane is above 2^53",
                                fmt::format("found {} lanes {} bytes apart", lanes, stride), "use a smaller stride"});
  std::vector<std::int64_t> offsets;
  for (std::int64_t lane = 0; lane < lanes; ++lane) offsets.push_back(lane * stride);
  return offsets;
}

std::vector<std::int64_t> per_lane(std::span<const Expression> expressions, const Values& values, std::int64_t lanes) {
  if (std::ssize(expressions) != lanes)
    throw ModelError(Diagnostic{"/lane_offsets_bytes", "each lane must have one offset",
                                fmt::format("found {}", expressions.size()),
                                fmt::format("write {}, the warp size of the device", lanes)});
  std::vector<std::int64_t> offsets;
  for (const Expression& expression : expressions)
    offsets.push_back(whole_at("/lane_offsets_bytes", expression, values, -kLargestWhole));
  return offsets;
}

constexpr std::int64_t kPrivateWord = 4;  // bytes; the words of a warp's lanes lie side by side

const LaunchShape::Array& array_of(std::size_t index, const LaunchShape& shape) {
  assert(index < shape.arrays.size());
  return shape.arrays[index];
}

/// The group for the address: the first group of the launch; for an address that differs by kind, of its kind.
std::int64_t first_group(const Expression& address, const Values& values, const LaunchShape& shape) {
  if (shape.first_groups.empty() || !address.uses_any(shape.names_of_kinds)) return 0;
  const auto first = shape.first_groups.find(static_cast<std::int64_t>(values.at("kind")));
  return first == shape.first_groups.end() ? 0 : first->second;  // a kind without a group in the launch
}

std::vector<std::int64_t> addressed(const AccessPattern::Addressed& pattern, Values values, std::int64_t lanes,
                                    const LaunchShape& shape) {
  for (const std::string& name : pattern.address.names()) values.try_emplace(name, 0);  // counters of loops
  values["warp"] = 0;
  set_group(values, shape, first_group(pattern.address, values, shape));
  const auto size = values.find("group_size");
  const std::int64_t threads = size == values.end() ? lanes : static_cast<std::int64_t>(size->second);
  std::vector<std::int64_t> addresses;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    set_thread(values, shape, lane, lane);
    addresses.push_back(lane < threads ? whole_at("/address", pattern.address, values, -kLargestWhole)
                                       : AccessPattern::kNotActive);
  }
  return addresses;
}

std::vector<std::int64_t> sampled(const AccessPattern::Sampled& pattern, std::int64_t lanes) {
  const auto& first = pattern.executions.front();
  if (std::ssize(first) != lanes)
    throw ModelError(Diagnostic{"/addresses", "each lane must have one address", fmt::format("found {}", first.size()),
                                fmt::format("write {}, the warp size of the device", lanes)});
  return first;
}

/// Adds the active lanes, at least one; words of thread-private memory lie side by side.
void take_part(LaneAccess& access, std::vector<std::int64_t> addresses, const LaunchShape::Array& array) {
  const std::int64_t lanes = std::ssize(addresses);
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    const std::int64_t address = addresses[static_cast<std::size_t>(lane)];
    if (!is_inside(array, address)) continue;
    if (!array.thread_private) {
      access.offsets_bytes.push_back(address);
      access.lanes.push_back(lane);
    }
    for (std::int64_t at = address; array.thread_private && at < address + access.width_bytes; at += kPrivateWord)
      access.offsets_bytes.push_back((at / kPrivateWord * lanes + lane) * kPrivateWord + at % kPrivateWord);
  }
  if (array.thread_private) access.width_bytes = std::min(access.width_bytes, kPrivateWord);
  if (access.offsets_bytes.empty()) {
    access.offsets_bytes.push_back(0);
    access.lanes.clear();
  }
  access.warp_size = lanes;
}

}  // namespace

LaneAccess lane_access(const AccessPattern& pattern, const Values& values, std::int64_t warp_size,
                       const LaunchShape& shape) {
  if (warp_size > kMostLanes)
    throw ModelError(Diagnostic{"", fmt::format("an access pattern can have at most {} lanes", kMostLanes),
                                fmt::format("found a warp size of {}", warp_size),
                                "give conflict_degree and transactions instead of access"});
  LaneAccess access{whole_at("/width_bytes", pattern.width_bytes, values, 1), {}};
  if (const auto* at_stride = std::get_if<AccessPattern::Strided>(&pattern.lanes))
    access.offsets_bytes = strided(at_stride->stride_bytes, values, warp_size);
  else if (const auto* listed = std::get_if<AccessPattern::PerLane>(&pattern.lanes))
    access.offsets_bytes = per_lane(listed->offsets_bytes, values, warp_size);
  else if (const auto* at_address = std::get_if<AccessPattern::Addressed>(&pattern.lanes))
    take_part(access, addressed(*at_address, values, warp_size, shape), array_of(at_address->array, shape));
  else if (const auto* samples = std::get_if<AccessPattern::Sampled>(&pattern.lanes))
    take_part(access, sampled(*samples, warp_size), array_of(samples->array, shape));
  else
    access.offsets_bytes.assign(static_cast<std::size_t>(warp_size), 0);
  return access;
}

std::int64_t bank_conflict_degree(const LaneAccess& access, const Memory& memory) {
  assert(access.width_bytes >= 1 && !access.offsets_bytes.empty());
  const std::span<const std::int64_t> offsets = access.offsets_bytes;
  const std::int64_t words_per_lane = (access.width_bytes - 1) / memory.bank_bytes + 1;
  const std::int64_t lanes = access.lanes.empty() ? std::ssize(offsets) : access.warp_size;
  const std::int64_t lanes_per_part = (lanes - 1) / words_per_lane + 1;
  const auto part_of = [&](std::size_t i) {
    return (access.lanes.empty() ? static_cast<std::int64_t>(i) : access.lanes[i]) / lanes_per_part;
  };

  std::int64_t degree = 1;
  for (std::size_t begin = 0, end = 0; begin < offsets.size(); begin = end) {
    while (end < offsets.size() && part_of(end) == part_of(begin)) ++end;
    const auto part = offsets.subspan(begin, end - begin);
    degree += most_words_in_a_bank(touched(part, access.width_bytes, memory.bank_bytes), memory.banks) - 1;
    if (degree > kLargestWhole)
      throw ModelError(Diagnostic{"/width_bytes", "the bank conflict degree is above 2^53", "", "use a smaller width"});
  }
  return degree;
}

std::int64_t transactions(const LaneAccess& access, const Memory& memory) {
  assert(access.width_bytes >= 1 && !access.offsets_bytes.empty());
  std::int64_t segments = 0;
  for (const auto [first, last] : touched(access.offsets_bytes, access.width_bytes, memory.transaction_bytes))
    segments += last - first + 1;
  return segments;
}

std::int64_t transactions_of_neighbours(const AccessPattern& pattern, const Values& values, const Device& device) {
  const std::int64_t bytes = device.warp_size * pattern.width_bytes.evaluate_whole(values, 1);
  return (bytes - 1) / device.memory->transaction_bytes + 1;
}

}  // namespace warpipe
