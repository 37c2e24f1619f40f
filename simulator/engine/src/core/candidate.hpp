#pragma once

#include <cstdint>

#include "core/time.hpp"
#include "core/warp.hpp"

namespace warpipe {

/// The next warp to issue of a queue, a scheduler or a unit, in the order of rule 6.
struct Candidate {
  std::int64_t time = kForever;  ///< earliest issue time
  std::int64_t key = 0;          ///< of the policy
  Warp* warp = nullptr;

  friend bool operator<(const Candidate& a, const Candidate& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.key != b.key) return a.key < b.key;
    return a.warp != b.warp && a.warp->order < b.warp->order;  // two empty candidates are equal
  }
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

}  // namespace warpipe
