#pragma once

#include <algorithm>
#include <cstdint>

#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {

/// Any function of three bits, bit by bit: bit 4a + 2b + c of the table says what it gives.
inline std::uint64_t logic3(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t table) {
  std::uint64_t result = 0;
  for (unsigned index = 0; index < 8; ++index) {
    const auto wanted = std::uint64_t{0} - ((table >> index) & 1);
    result |= wanted & ((index & 4) != 0 ? a : ~a) & ((index & 2) != 0 ? b : ~b) & ((index & 1) != 0 ? c : ~c);
  }
  return result;
}

/// 32 of the 64 bits that two registers hold, the topmost first to the left, the lowest first to the right.
inline std::uint64_t funnel_shift(const LaneOperation& operation, std::uint64_t low, std::uint64_t high,
                                  std::uint64_t by) {
  const auto joined = (high << 32) | truncated(low, 32);
  const auto distance = operation.wrap ? by & 31 : std::min<std::uint64_t>(truncated(by, 32), 32);
  return operation.op == LaneOp::FunnelLeft ? (joined << distance) >> 32 : joined >> distance;
}

}  // namespace warpipe::isa
