#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpipe {

/// A line has this many parts; what is read and written of it is told by part.
inline constexpr int kPartsPerLine = 32;

/// A line that an execution touches.
struct TouchedLine {
  std::int64_t line = 0;      ///< its address / the bytes of a line
  std::uint32_t touched = 0;  ///< its parts, a bit each
  std::uint32_t covered = 0;  ///< those of which every byte is touched
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

/// Adds the lines that bytes touch, in ascending order, each once.
/// @param ranges      of bytes; sorted here
/// @param line_bytes  a power of two, at least kPartsPerLine
void add_lines(std::vector<ByteRange>& ranges, std::int64_t line_bytes, std::vector<TouchedLine>& lines);

/// The lines that bytes touch wherever all of them move together: they depend on the place within a line only.
class LinePattern {
 public:
  /// @param ranges  from a common origin
  LinePattern(std::vector<ByteRange> ranges, std::int64_t line_bytes);

  /// The lines where the origin is at that byte of a line, 0 to line_bytes - 1, as if that line were number 0.
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
