#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "lane_operation.hpp"

namespace warpipe::ptx {

/// For how many passes of a loop what was found for the first one holds.
struct Horizon {
  static constexpr std::int64_t kEndless = INT64_MAX;
  std::int64_t passes = kEndless;
  void limit(std::int64_t most) { passes = most < passes ? most : passes; }
};

/// How a number moves from one pass of a loop to the next: value + k x slope, modulo the width of its type, for the
/// passes of `holds`. Beyond them it is off by multiples of 256, since a narrow number that it was made of has wrapped
/// around: good enough to know which bytes of a line of memory an address reaches, and for nothing else.
struct Motion {
  std::uint64_t slope = 0;  ///< modulo 2^64
  Horizon holds = {};
  bool rests() const { return slope == 0 && holds.passes == Horizon::kEndless; }
};

/// How a result moves where the inputs move by constant steps. A comparison that changes its truth limits the horizon,
/// and so does an input that no longer holds, unless the result is off by as little as the input; a number that leaves
/// the range of its type where it is widened limits how long the result holds.
/// @param inputs   in the first pass
/// @param motions  one an input
/// @return         the motion of the result; nothing where its slope is not constant
std::optional<Motion> motion_of(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                std::span<const Motion> motions, Horizon& horizon);

}  // namespace warpipe::ptx
