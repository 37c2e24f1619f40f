#include "support/reference_access.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace warpipe::reference {
namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// "lane i at i x stride", "broadcast", or "one per lane", from base 0.
std::int64_t lane_offset(const AccessPattern& pattern, const Values& values, std::int64_t lane) {
  if (const auto* strided = std::get_if<AccessPattern::Strided>(&pattern.lanes))
    return lane * strided->stride_bytes.evaluate_whole(values, -kLargestWhole);
  if (const auto* per_lane = std::get_if<AccessPattern::PerLane>(&pattern.lanes))
    return per_lane->offsets_bytes.at(static_cast<std::size_t>(lane)).evaluate_whole(values, -kLargestWhole);
  return 0;
}

// All aligned units of `unit_bytes` bytes touched by the lanes [first, last), byte by byte.
std::set<std::int64_t> touched(const AccessPattern& pattern, const Values& values, std::int64_t unit_bytes,
                               std::int64_t first, std::int64_t last) {
  std::set<std::int64_t> units;
  const std::int64_t width = pattern.width_bytes.evaluate_whole(values, 1);
  for (std::int64_t lane = first; lane < last; ++lane)
    for (std::int64_t byte = 0; byte < width; ++byte)
      units.insert(floor_divide(lane_offset(pattern, values, lane) + byte, unit_bytes));
  return units;
}

}  // namespace

std::int64_t conflict_degree(const AccessPattern& pattern, const Values& values, const Device& device) {
  const Memory& memory = device.memory.value();
  const std::int64_t lanes = device.warp_size;
  // "an access wider than a bank word is served in as many equal parts of the lanes as it takes words (the last one
  // smaller where they do not divide)"
  const std::int64_t parts = ceil_divide(pattern.width_bytes.evaluate_whole(values, 1), memory.bank_bytes);
  const std::int64_t lanes_per_part = ceil_divide(lanes, parts);
  std::int64_t sum_of_extra_ways = 0;  // "the degrees of the parts added, less (parts - 1)"
  for (std::int64_t first = 0; first < lanes; first += lanes_per_part) {
    const std::int64_t last = std::min(first + lanes_per_part, lanes);
    std::map<std::int64_t, std::int64_t> words_of_bank;
    for (const std::int64_t word : touched(pattern, values, memory.bank_bytes, first, last))
      ++words_of_bank[word - floor_divide(word, memory.banks) * memory.banks];
    std::int64_t degree = 1;  // "the most distinct bank words that fall into one bank"
    for (const auto& [bank, words] : words_of_bank) degree = std::max(degree, words);
    sum_of_extra_ways += degree - 1;
  }
  return sum_of_extra_ways + 1;
}

std::int64_t segments(const AccessPattern& pattern, const Values& values, const Device& device, std::int64_t bytes) {
  return static_cast<std::int64_t>(touched(pattern, values, bytes, 0, device.warp_size).size());
}

std::int64_t transactions(const AccessPattern& pattern, const Values& values, const Device& device) {
  return segments(pattern, values, device, device.memory.value().transaction_bytes);
}

}  // namespace warpipe::reference
