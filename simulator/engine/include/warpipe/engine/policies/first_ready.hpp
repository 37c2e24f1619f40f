#pragma once

#include "warpipe/engine/policy.hpp"

namespace warpipe {

/// Whoever has waited longest.
struct FirstReady {
  static constexpr bool kUsesReady = true;
  static constexpr bool kRemembersLast = false;
  static constexpr bool kHeadGoesFirst = true;
  static std::int64_t key(const Contender& contender, const LastIssued&) { return contender.ready; }
};

}  // namespace warpipe
