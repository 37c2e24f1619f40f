#pragma once

#include "warpipe/engine/policy.hpp"

namespace warpipe {

/// The oldest group, then the lowest warp.
struct Oldest {
  static constexpr bool kUsesReady = false;
  static constexpr bool kRemembersLast = false;
  static constexpr bool kHeadGoesFirst = false;
  static std::int64_t key(const Contender&, const LastIssued&) { return 0; }
};

}  // namespace warpipe
