#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {

/// The number of iterations of a loop for which the findings of the first iteration hold.
struct Horizon {
  static constexpr std::int64_t kEndless = INT64_MAX;
  std::int64_t iterations = kEndless;
  void limit(std::int64_t most) { iterations = most < iterations ? most : iterations; }
};

/// The motion of a number from iteration to iteration of a loop: value + k x stride, modulo the width of its type,
/// for the iterations of `holds`. Beyond them the number is off by multiples of 256, since a narrow number in its
/// computation has wrapped around: good enough for the bytes of a memory line reached by an address, and for nothing
/// else.
struct Motion {
  std::uint64_t stride = 0;  ///< modulo 2^64
  Horizon holds = {};
  bool rests() const { return stride == 0 && holds.iterations == Horizon::kEndless; }
};

/// Finds the motion of a result from inputs with constant steps. A comparison with a changing truth limits the
/// horizon, and so does an input beyond its own horizon, unless the result is off by as little as the input; a number
/// leaving the range of its type where it is widened limits how long the result holds.
/// @param inputs   in the first iteration
/// @param motions  one per input
/// @return         the motion of the result; nothing for a changing stride
std::optional<Motion> motion_of(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                std::span<const Motion> motions, Horizon& horizon);

/// The iterations before a number of so many bits, moving by a stride of as many bits, wraps around.
std::int64_t while_in_range(std::uint64_t value, std::uint64_t stride, int bits);

}  // namespace warpipe::isa
