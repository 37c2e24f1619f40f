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

/// How a result moves from one pass of a loop to the next where the inputs move by constant steps: value + k x slope,
/// modulo the width of the type. What only holds while no number leaves the range of its type, or while a comparison
/// keeps its truth, limits the horizon.
/// @param inputs   in the first pass
/// @param slopes   one an input, modulo 2^64
/// @return         the slope of the result; nothing where it is not constant
std::optional<std::uint64_t> slope_of(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                      std::span<const std::uint64_t> slopes, Horizon& horizon);

}  // namespace warpipe::ptx
