#pragma once

#include <cstdint>

#include "warpipe/engine/time.hpp"
#include "warpipe/engine/warp.hpp"

namespace warpipe {

/// A warp that would issue next, in the order of rule 6.
struct Candidate {
  std::int64_t time = kForever;
  std::int64_t key = 0;
  Warp* warp = nullptr;

  friend bool operator<(const Candidate& a, const Candidate& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.key != b.key) return a.key < b.key;
    return a.warp != b.warp && a.warp->order < b.warp->order;  // nobody is not before nobody
  }
};

}  // namespace warpipe
