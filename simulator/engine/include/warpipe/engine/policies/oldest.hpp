#pragma once

#include "warpipe/engine/policy.hpp"

namespace warpipe {

/// The oldest group, then the lowest warp.
struct Oldest {
  static std::int64_t key(const Contender&, const LastIssued&) { return 0; }
};

}  // namespace warpipe
