#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "warpipe/idg/machine.hpp"

/// The scheduling policies (rule 6): of warps that could issue at the same time, a scheduler issues the warp with the
/// smallest key first; equal keys are decided by age and warp. A new policy is a struct here, a place in `Policies`
/// below, and its name beside `enum class Policy`.

namespace warpipe {

/// A warp that could issue next.
struct Contender {
  std::int64_t ready = 0;  ///< when its operands and its predecessor let it issue; milli-cycles
  std::int64_t order = 0;  ///< age of the group x warps per group + warp: unique, the oldest is smallest
  std::int64_t index = 0;  ///< slot x warps per group + warp: its warp slot on the unit
};

/// The last issue of a scheduler (of a unit, without schedulers).
struct LastIssued {
  std::int64_t order = -1;     ///< of the warp; -1 before the first issue
  std::int64_t index = -1;     ///< of the warp; -1 before the first issue
  std::int64_t residents = 1;  ///< warp slots of the unit
};

/// A policy is a struct with these members, each of them required:
///
///     static std::int64_t key(const Contender& contender, const LastIssued& last);
///     static constexpr bool kUsesReady = ...;      // the key uses contender.ready; otherwise key() is passed 0
///     static constexpr bool kRemembersLast = ...;  // the key uses `last`; otherwise key() is passed a fresh one
///     static constexpr bool kHeadGoesFirst = ...;  // of two warps, the smaller (ready, order) always has the smaller
///                                                  // key or an equal key: only the first of a queue is tried
///
/// The key depends on nothing but its arguments. State invisible to the key cannot decide, so steady-state skipping
/// need not compare it.
///
/// A policy without contender.ready in its key may have these members as well, to avoid computing the keys of very many
/// warps:
///
///     static constexpr bool kRanksByIndex = ...;  // a warp's rank is its index; otherwise its order
///     static std::int64_t first_rank(const auto& ranks, const LastIssued& last);
///
/// first_rank() returns, of the ranks of warps that could issue at the same time, the rank with the smallest key, of
/// several the smallest order. `ranks` has smallest(), and at_or_after(rank): the smallest rank from `rank` on, if any.
template <class Rule>
concept IssuePolicy = requires(const Contender& contender, const LastIssued& last) {
  { Rule::key(contender, last) } -> std::same_as<std::int64_t>;
  requires std::same_as<decltype(Rule::kUsesReady), const bool>;
  requires std::same_as<decltype(Rule::kRemembersLast), const bool>;
  requires std::same_as<decltype(Rule::kHeadGoesFirst), const bool>;
};

/// The interface of very many ranks.
struct SomeRanks {
  std::int64_t smallest() const;
  std::optional<std::int64_t> at_or_after(std::int64_t rank) const;
};

template <class Rule>
concept RankingPolicy = IssuePolicy<Rule> && requires(const SomeRanks& ranks, const LastIssued& last) {
  requires !Rule::kUsesReady;
  requires std::same_as<decltype(Rule::kRanksByIndex), const bool>;
  { Rule::first_rank(ranks, last) } -> std::same_as<std::int64_t>;
};

/// The key of a contender. The policy sees only its declared inputs.
template <IssuePolicy Rule>
std::int64_t key_under(Contender contender, const LastIssued& last) {
  if constexpr (!Rule::kUsesReady) contender.ready = 0;
  if constexpr (!Rule::kRemembersLast) return Rule::key(contender, LastIssued{});
  return Rule::key(contender, last);
}

/// The longest waiting warp.
struct FirstReady {
  static constexpr bool kUsesReady = true;
  static constexpr bool kRemembersLast = false;
  static constexpr bool kHeadGoesFirst = true;
  static std::int64_t key(const Contender& contender, const LastIssued&) { return contender.ready; }
};

/// The oldest group, then the lowest warp.
struct Oldest {
  static constexpr bool kUsesReady = false;
  static constexpr bool kRemembersLast = false;
  static constexpr bool kHeadGoesFirst = false;
  static constexpr bool kRanksByIndex = false;
  static std::int64_t key(const Contender&, const LastIssued&) { return 0; }
  static std::int64_t first_rank(const auto& ranks, const LastIssued&) { return ranks.smallest(); }
};

/// The warp of this scheduler's last issue, then the oldest. A new group's warps are new warps.
struct GreedyOldest {
  static constexpr bool kUsesReady = false;
  static constexpr bool kRemembersLast = true;
  static constexpr bool kHeadGoesFirst = false;
  static constexpr bool kRanksByIndex = false;
  static std::int64_t key(const Contender& contender, const LastIssued& last) {
    return contender.order == last.order ? 0 : 1;
  }
  static std::int64_t first_rank(const auto& ranks, const LastIssued& last) {
    return ranks.at_or_after(last.order) == last.order ? last.order : ranks.smallest();
  }
};

/// The next warp slot after the last issue's, in a circle; the warp just issued comes last.
struct RoundRobin {
  static constexpr bool kUsesReady = false;
  static constexpr bool kRemembersLast = true;
  static constexpr bool kHeadGoesFirst = false;
  static constexpr bool kRanksByIndex = true;
  static std::int64_t key(const Contender& contender, const LastIssued& last) {
    const std::int64_t distance = contender.index - last.index - 1;
    return distance >= 0 ? distance : distance + last.residents;
  }
  static std::int64_t first_rank(const auto& ranks, const LastIssued& last) {
    return ranks.at_or_after(last.index + 1).value_or(ranks.smallest());
  }
};

template <IssuePolicy... Rules>
struct PolicyList {
  static constexpr std::size_t size = sizeof...(Rules);
};

/// All policies, in the order of `enum class Policy`.
using Policies = PolicyList<FirstReady, Oldest, GreedyOldest, RoundRobin>;
static_assert(Policies::size == kPolicies.size(), "a struct for each row of the table of policies");

}  // namespace warpipe
