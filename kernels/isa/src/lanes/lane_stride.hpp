#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {

/// For how many iterations of a loop what was found for the first one holds.
struct Horizon {
  static constexpr std::int64_t kEndless = INT64_MAX;
  std::int64_t iterations = kEndless;
  void limit(std::int64_t most) { iterations = most < iterations ? most : iterations; }
};

/// How a number moves from one iteration of a loop to the next: value + k x stride, modulo the width of its type, for
/// the iterations of `holds`. Beyond them it is off by multiples of 256, since a narrow number that it was made of has
/// wrapped around: good enough to know which bytes of a line of memory an address reaches, and for nothing else.
struct Motion {
  std::uint64_t stride = 0;  ///< modulo 2^64
  Horizon holds = {};
  bool rests() const { return stride == 0 && holds.iterations == Horizon::kEndless; }
};

/// How a result moves where the inputs move by constant steps. A comparison that changes its truth limits the horizon,
/// and so does an input that no longer holds, unless the result is off by as little as the input; a number that leaves
/// the range of its type where it is widened limits how long the result holds.
/// @param inputs   in the first iteration
/// @param motions  one an input
/// @return         the motion of the result; nothing where its stride is not constant
std::optional<Motion> motion_of(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                std::span<const Motion> motions, Horizon& horizon);

/// For how many iterations a number of so many bits, which moves by a stride of as many, does not wrap around.
std::int64_t while_in_range(std::uint64_t value, std::uint64_t stride, int bits);

}  // namespace warpipe::isa
