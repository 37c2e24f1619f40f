#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lane_values.hpp"
#include "line_pattern.hpp"

namespace warpipe {

/// The memory of an array.
struct Placement {
  std::int64_t origin = 0;           ///< of the array, or of the first warp's copies; a multiple of a line
  std::int64_t bytes = 0;            ///< of the array; of a thread's copy if private
  std::int64_t bytes_per_frame = 0;  ///< the copies of a warp's lanes, in whole lines; 0 if all threads share the array
};

/// The access of a memory instruction to an array.
struct ArrayAccess {
  Placement placement;
  std::int64_t width = 4;       ///< bytes per lane
  std::int64_t warp_size = 32;  ///< lanes of a full warp
  std::int64_t line_bytes = 128;

  /// Collects the bytes touched by lanes with addresses in the array; lanes outside of it are not active.
  /// @param origin  subtracted from each byte's address
  /// @param ranges  set to the bytes
  void ranges(std::span<const double> addresses, std::int64_t origin, std::vector<ByteRange>& ranges) const;
};

/// Lines that move together with the coordinates.
struct MovingLines {
  std::int64_t origin = 0;                                  ///< the byte where all coordinates are 0
  std::vector<std::pair<std::size_t, std::int64_t>> steps;  ///< coordinate, bytes
  LinePattern* pattern = nullptr;
};

/// The addresses of a warp's lanes in the executions of an instruction, from an expression.
class LaneAddresses {
 public:
  /// The data shared by all warps for the addresses of an instruction; outlives them.
  struct Source {
    Expression address;
    std::vector<Operation> operations;  ///< of the address
    std::string where;                  ///< JSON path of the expression, for messages
  };

  /// @param source, names, room  outlive this
  LaneAddresses(const ArrayAccess& access, const Source& source, const LaneNames& names,
                std::span<const std::string> coordinates, LaneRoom& room);

  bool uses(std::size_t coordinate) const { return values_.uses(coordinate); }

  /// The lines for all coordinates in the ranges.
  /// @return none if they do not move together there, or if some lanes are in the array for a part of the ranges only
  std::optional<MovingLines> over(std::span<const Range> ranges);

  /// After an over() without lines: the movement of the obstacle with each coordinate, >= 0. All 0 if unknown.
  std::span<const double> obstacle() const { return obstacle_; }

  /// After an over() without lines: as LaneValues::cut().
  const std::optional<Cut>& cut() const { return cut_; }

  /// The lines at one place.
  /// @param ranges  points
  /// @throws ModelError for an address without a value there, or with a value that is not whole
  void at(std::span<const Range> ranges, std::vector<TouchedLine>& lines);

 private:
  const LaneForm* form(std::span<const Range> ranges);
  [[noreturn]] void fail(std::span<const Range> ranges) const;

  ArrayAccess access_;
  const Source& source_;
  const LaneNames& names_;
  std::vector<std::string> coordinates_;
  LaneValues values_;
  std::vector<double> obstacle_;  ///< by coordinate
  std::optional<Cut> cut_;
  std::vector<ByteRange> ranges_;
  std::map<std::vector<ByteRange>, LinePattern> patterns_;  ///< by the bytes touched by lanes
};

}  // namespace warpipe
