#pragma once

#include "warpipe/engine/policy.hpp"

namespace warpipe {

/// The warp that this scheduler issued last, then the oldest. A new group's warps are new warps.
struct GreedyOldest {
  static constexpr bool kUsesReady = false;
  static constexpr bool kRemembersLast = true;
  static constexpr bool kHeadGoesFirst = false;
  static std::int64_t key(const Contender& contender, const LastIssued& last) {
    return contender.order == last.order ? 0 : 1;
  }
};

}  // namespace warpipe
