#pragma once

#include "warpipe/engine/policy.hpp"

namespace warpipe {

/// Whoever has waited longest.
struct FirstReady {
  /// Queues are ordered by (ready, order), so nobody behind the head of a queue can go first.
  static constexpr bool kHeadGoesFirst = true;
  static std::int64_t key(const Contender& contender, const LastIssued&) { return contender.ready; }
};

}  // namespace warpipe
