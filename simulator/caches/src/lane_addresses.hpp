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

/// The memory that an array takes.
struct Placement {
  std::int64_t origin = 0;           ///< of the array, or of the first warp's copies; a multiple of a line
  std::int64_t bytes = 0;            ///< of the array; of one thread's copy, where each has its own
  std::int64_t bytes_per_frame = 0;  ///< what the copies of a warp's lanes take, in lines; 0 where all threads share it
};

/// How a memory instruction accesses an array.
struct ArrayAccess {
  Placement placement;
  std::int64_t width = 4;       ///< bytes per lane
  std::int64_t warp_size = 32;  ///< lanes of a full warp
  std::int64_t line_bytes = 128;

  /// The bytes that lanes touch, where each has an address in the array; those outside of it take no part.
  /// @param origin  that is taken off each byte's address
  /// @param ranges  set to the bytes
  void ranges(std::span<const double> addresses, std::int64_t origin, std::vector<ByteRange>& ranges) const;
};

/// Lines that move together with the coordinates.
struct MovingLines {
  std::int64_t origin = 0;                                  ///< the byte where all coordinates are 0
  std::vector<std::pair<std::size_t, std::int64_t>> steps;  ///< coordinate, bytes
  LinePattern* pattern = nullptr;
};

/// The addresses that the lanes of a warp have in the executions of an instruction, from an expression.
class LaneAddresses {
 public:
  /// What the addresses of an instruction have in common for all warps; outlives them.
  struct Source {
    Expression address;
    std::vector<Operation> operations;  ///< of the address
    std::string where;                  ///< JSON path of the expression, for messages
  };

  /// @param source, names, room  outlive this
  LaneAddresses(const ArrayAccess& access, const Source& source, const LaneNames& names,
                std::span<const std::string> coordinates, LaneRoom& room);

  bool uses(std::size_t coordinate) const { return values_.uses(coordinate); }

  /// The lines wherever coordinates are in some ranges.
  /// @return none where they do not move together there, or where lanes are in the array here and out of it there
  std::optional<MovingLines> over(std::span<const Range> ranges);

  /// Where over() found none: how much what hinders it moves with each coordinate, >= 0. All 0 where that is not known.
  std::span<const double> obstacle() const { return obstacle_; }

  /// The lines at one place.
  /// @param ranges  points
  /// @throws ModelError where the address has no value there, or none that is whole
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
  std::vector<ByteRange> ranges_;
  std::map<std::vector<ByteRange>, LinePattern> patterns_;  ///< by the bytes that lanes touch
};

}  // namespace warpipe
