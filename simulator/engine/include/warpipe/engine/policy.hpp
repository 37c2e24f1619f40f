#pragma once

#include <concepts>
#include <cstdint>

/// The contract of a policy (rule 6 of the model). Among warps that could issue at the same time the one with the
/// smallest key goes first; equal keys are settled by age and warp. The key depends on nothing but the contender and
/// what issued last, and says which parts of them it uses: see IssuePolicy.

namespace warpipe {

/// A warp that could issue next.
struct Contender {
  std::int64_t ready = 0;  ///< when its operands and its predecessor let it issue; milli-cycles
  std::int64_t order = 0;  ///< age of the group x warps per group + warp: unique, the oldest is smallest
  std::int64_t index = 0;  ///< slot x warps per group + warp: its warp slot on the unit
};

/// What a scheduler (a unit, where there are none) issued last.
struct LastIssued {
  std::int64_t order = -1;     ///< of the warp; -1 before the first issue
  std::int64_t index = -1;     ///< of the warp; -1 before the first issue
  std::int64_t residents = 1;  ///< places of warps on the unit
};

/// A policy is a struct with these members, each of them required:
///
///     static std::int64_t key(const Contender& contender, const LastIssued& last);
///     static constexpr bool kUsesReady = ...;      // the key uses contender.ready; otherwise it is shown as 0
///     static constexpr bool kRemembersLast = ...;  // the key uses `last`; otherwise it is shown as before any issue
///     static constexpr bool kHeadGoesFirst = ...;  // of two warps, the one with the smaller (ready, order) always
///                                                  // has the smaller key or an equal one: nobody else is tried
///
/// What the key does not see cannot decide, so skipping of repeated states need not compare it (leap.hpp).
template <class Rule>
concept IssuePolicy = requires(const Contender& contender, const LastIssued& last) {
  { Rule::key(contender, last) } -> std::same_as<std::int64_t>;
  requires std::same_as<decltype(Rule::kUsesReady), const bool>;
  requires std::same_as<decltype(Rule::kRemembersLast), const bool>;
  requires std::same_as<decltype(Rule::kHeadGoesFirst), const bool>;
};

/// The key of a contender, which sees only what the policy says that it uses.
template <IssuePolicy Rule>
std::int64_t key_under(Contender contender, const LastIssued& last) {
  if constexpr (!Rule::kUsesReady) contender.ready = 0;
  if constexpr (!Rule::kRemembersLast) return Rule::key(contender, LastIssued{});
  return Rule::key(contender, last);
}

}  // namespace warpipe
