#pragma once

#include "warpipe/engine/policy.hpp"

namespace warpipe {

/// The next place after the one issued last, going round; the warp just issued comes last.
struct RoundRobin {
  static constexpr bool kUsesReady = false;
  static constexpr bool kRemembersLast = true;
  static constexpr bool kHeadGoesFirst = false;
  static std::int64_t key(const Contender& contender, const LastIssued& last) {
    const std::int64_t distance = contender.index - last.index - 1;
    return distance >= 0 ? distance : distance + last.residents;
  }
};

}  // namespace warpipe
