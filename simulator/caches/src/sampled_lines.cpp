#include "sampled_lines.hpp"

#include "warpipe/idg/place.hpp"

namespace warpipe {

SampledLines::SampledLines(const AccessPattern::Sampled& sampled, const ArrayAccess& access)
    : sampled_(sampled), access_(access), lines_(sampled.executions.size()) {}

std::span<const TouchedLine> SampledLines::at(std::int64_t warp, std::int64_t execution) {
  const std::vector<std::int64_t>& addresses = sampled_addresses(sampled_, warp, execution);
  std::vector<TouchedLine>& lines = lines_[static_cast<std::size_t>(&addresses - sampled_.executions.data())];
  if (lines.empty()) {
    const std::vector<double> lanes(addresses.begin(), addresses.end());
    std::vector<ByteRange> bytes;
    access_.ranges(lanes, -access_.placement.origin, bytes);
    add_lines(bytes, access_.line_bytes, lines);
  }
  return lines;
}

}  // namespace warpipe
