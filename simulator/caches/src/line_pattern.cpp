#include "line_pattern.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpipe {
namespace {

/// Parts `first` to `end` - 1 of a line.
std::uint32_t parts(std::int64_t first, std::int64_t end) {
  if (first >= end) return 0;
  return static_cast<std::uint32_t>((std::uint64_t{1} << end) - (std::uint64_t{1} << first));
}

}  // namespace

void add_lines(std::vector<ByteRange>& ranges, std::int64_t line_bytes, std::vector<TouchedLine>& lines) {
  if (!std::ranges::is_sorted(ranges)) std::ranges::sort(ranges);
  const int line_shift = std::countr_zero(static_cast<std::uint64_t>(line_bytes));
  const int part_shift = line_shift - std::countr_zero(static_cast<unsigned>(kPartsPerLine));
  const std::int64_t part_bytes = std::int64_t{1} << part_shift;
  const std::size_t first = lines.size();
  for (std::size_t i = 0; i < ranges.size();) {
    const std::int64_t begin = ranges[i].begin;
    std::int64_t end = begin + ranges[i].bytes;
    for (++i; i < ranges.size() && ranges[i].begin <= end; ++i) end = std::max(end, ranges[i].begin + ranges[i].bytes);
    for (std::int64_t line = begin >> line_shift; line <= (end - 1) >> line_shift; ++line) {
      if (lines.size() == first || lines.back().line != line) lines.push_back({line, 0, 0});
      const std::int64_t origin = line << line_shift;
      const std::int64_t from = std::max<std::int64_t>(0, begin - origin), to = std::min(line_bytes, end - origin);
      lines.back().touched |= parts(from >> part_shift, (to + part_bytes - 1) >> part_shift);
      lines.back().covered |= parts((from + part_bytes - 1) >> part_shift, to >> part_shift);
    }
  }
}

LinePattern::LinePattern(std::vector<ByteRange> ranges, std::int64_t line_bytes)
    : ranges_(std::move(ranges)), line_bytes_(line_bytes), slice_of_(static_cast<std::size_t>(line_bytes), 0) {}

std::span<const TouchedLine> LinePattern::at(std::int64_t byte) {
  std::uint16_t& known = slice_of_[static_cast<std::size_t>(byte)];
  if (known == 0) {
    std::vector<ByteRange> moved = ranges_;
    for (ByteRange& range : moved) range.begin += byte;
    const auto begin = static_cast<std::uint32_t>(lines_.size());
    add_lines(moved, line_bytes_, lines_);
    slices_.push_back({begin, static_cast<std::uint32_t>(lines_.size())});
    known = static_cast<std::uint16_t>(slices_.size());
  }
  const Slice& slice = slices_[known - 1U];
  return std::span(lines_).subspan(slice.begin, slice.end - slice.begin);
}

}  // namespace warpipe
