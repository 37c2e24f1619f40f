#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpipe {

/// Parts per line; reads and writes of a line are recorded by part.
inline constexpr int kPartsPerLine = 32;

/// A line touched by an execution.
struct TouchedLine {
  std::int64_t line = 0;      ///< its address / the bytes of a line
  std::uint32_t touched = 0;  ///< its parts, a bit each
  std::uint32_t covered = 0;  ///< the completely touched parts
  friend bool operator==(const TouchedLine&, const TouchedLine&) = default;
};

/// The lines of an execution.
struct Lines {
  std::span<const TouchedLine> list;
  std::int64_t first = 0;  ///< to add to the number of each
};

/// Bytes from `begin` on.
struct ByteRange {
  std::int64_t begin = 0, bytes = 0;
  friend auto operator<=>(const ByteRange&, const ByteRange&) = default;
};

/// Adds the lines touched by bytes, in ascending order, each once.
/// @param ranges      of bytes; sorted here
/// @param line_bytes  a power of two, at least kPartsPerLine
void add_lines(std::vector<ByteRange>& ranges, std::int64_t line_bytes, std::vector<TouchedLine>& lines);

/// The lines touched by bytes that move together: they depend on the place within a line only.
class LinePattern {
 public:
  /// @param ranges  from a common origin
  LinePattern(std::vector<ByteRange> ranges, std::int64_t line_bytes);

  /// The lines for an origin at this byte of a line, 0 to line_bytes - 1, with its line as number 0.
  std::span<const TouchedLine> at(std::int64_t byte);

 private:
  struct Slice {
    std::uint32_t begin = 0, end = 0;
  };
  std::vector<ByteRange> ranges_;
  std::int64_t line_bytes_;
  std::vector<std::uint16_t> slice_of_;  ///< by byte: index into `slices_` + 1; 0: not found yet
  std::vector<Slice> slices_;            ///< of `lines_`
  std::vector<TouchedLine> lines_;
};

}  // namespace warpipe
