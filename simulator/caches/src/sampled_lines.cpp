#include "sampled_lines.hpp"

#include <algorithm>
#include <utility>

#include "warpipe/idg/place.hpp"

namespace warpipe {

SampledLines::SampledLines(const AccessPattern::Sampled& sampled, const ArrayAccess& access, std::size_t lanes)
    : sampled_(sampled), access_(access), lanes_(lanes), executions_(sampled.executions.size()) {}

std::span<const std::int64_t> SampledLines::of_lanes(const std::vector<std::int64_t>& addresses) const {
  return std::span(addresses).first(std::min(lanes_, addresses.size()));
}

SampledLines::Execution& SampledLines::known(const std::vector<std::int64_t>& addresses) {
  Execution& execution = executions_[static_cast<std::size_t>(&addresses - sampled_.executions.data())];
  if (execution.pattern) return execution;
  std::vector<double> lanes;
  execution.least = access_.placement.bytes;
  for (const std::int64_t address : of_lanes(addresses)) {
    lanes.push_back(static_cast<double>(address));
    if (address < 0 || address >= access_.placement.bytes) continue;
    execution.least = std::min(execution.least, address);
    execution.most = std::max(execution.most, address);
  }
  std::vector<ByteRange> bytes;
  access_.ranges(lanes, 0, bytes);
  execution.pattern.emplace(std::move(bytes), access_.line_bytes);
  return execution;
}

/// Lanes move together, unless some of them pass the end of the array and start again.
Lines SampledLines::at(std::int64_t warp, std::int64_t execution) {
  const std::vector<std::int64_t>& addresses = sampled_addresses(sampled_, warp, execution);
  const std::int64_t bytes = access_.placement.bytes;
  Execution& sample = known(addresses);
  std::int64_t shift = sampled_shift(sampled_, warp, execution, bytes);
  if (sample.least + shift >= bytes) shift -= bytes;
  const bool is_private = access_.placement.bytes_per_frame > 0;
  if (shift != 0 && (is_private || sample.most + shift >= bytes)) return lane_by_lane(addresses, shift);
  const std::int64_t origin = access_.placement.origin + shift, byte = origin & (access_.line_bytes - 1);
  return {sample.pattern->at(byte), (origin - byte) / access_.line_bytes};
}

Lines SampledLines::lane_by_lane(const std::vector<std::int64_t>& addresses, std::int64_t shift) {
  const std::int64_t bytes = access_.placement.bytes;
  std::vector<double> lanes;
  for (const std::int64_t address : of_lanes(addresses)) {
    const bool takes_part = address >= 0 && address < bytes;
    lanes.push_back(static_cast<double>(takes_part ? (address + shift + bytes) % bytes : address));
  }
  std::vector<ByteRange> ranges;
  access_.ranges(lanes, -access_.placement.origin, ranges);
  lines_.clear();
  add_lines(ranges, access_.line_bytes, lines_);
  return {lines_, 0};
}

}  // namespace warpipe
