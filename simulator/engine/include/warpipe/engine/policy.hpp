#pragma once

#include <cstdint>

/// The contract of a policy (rule 6 of the model). Among warps that could issue at the same time the one with the
/// smallest key goes first; equal keys are settled by age and warp. A policy is a struct with
///
///     static std::int64_t key(const Contender& contender, const LastIssued& last);
///
/// that depends on nothing else. Between two issues of a scheduler a contender's key does not change. A policy that
/// looks at `last` says `static constexpr bool kRemembersLast = true;`.

namespace warpipe {

/// A warp that could issue next.
struct Contender {
  std::int64_t ready = 0;  ///< when its operands and its predecessor let it issue; milli-cycles
  std::int64_t order = 0;  ///< age of the group x warps per group + warp: unique, the oldest is smallest
  std::int64_t index = 0;  ///< slot x warps per group + warp: its place on the unit
};

/// What a scheduler (a unit, where there are none) issued last.
struct LastIssued {
  std::int64_t order = -1;     ///< of the warp; -1 before the first issue
  std::int64_t index = -1;     ///< of the warp; -1 before the first issue
  std::int64_t residents = 1;  ///< places of warps on the unit
};

}  // namespace warpipe
