#include "warpipe/explain/difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace warpipe {
namespace {

using Match = std::optional<std::size_t>;
using Instructions = std::vector<InstructionTimes>;

/// Pairs like instructions without a partner.
template <class Alike>
void match_alike(std::vector<Match>& partner_of_b, std::vector<bool>& taken, const Instructions& a,
                 const Instructions& b, Alike alike) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (partner_of_b[i]) continue;
    for (std::size_t k = 0; k < a.size() && !partner_of_b[i]; ++k)
      if (!taken[k] && alike(a[k], b[i])) {
        partner_of_b[i] = k;
        taken[k] = true;
      }
  }
}

std::vector<InstructionMatch> match_instructions(const Instructions& a, const Instructions& b) {
  std::vector<Match> partner(b.size());
  std::vector<bool> taken(a.size());
  using Each = InstructionTimes;
  match_alike(partner, taken, a, b, [](const Each& one, const Each& other) { return one.id == other.id; });
  match_alike(partner, taken, a, b, [](const Each& one, const Each& other) { return one.op == other.op; });
  std::vector<InstructionMatch> matches;
  for (std::size_t i = 0; i < partner.size(); ++i) matches.push_back({partner[i], i});
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (!taken[i]) matches.push_back({i, std::nullopt});
  return matches;
}

/// Adds up the times of both runs for the same part.
class Accounts {
 public:
  /// @param side   Contribution::a or b
  /// @param index  InstructionMatch::a or b
  void add(const Outcome& outcome, const std::vector<InstructionMatch>& matches, Seconds Contribution::*side,
           Match InstructionMatch::*index) {
    const Explanation& explanation = outcome.explanation;
    std::map<std::string, std::size_t> match_of_id;
    for (std::size_t i = 0; i < matches.size(); ++i)
      if (const Match& own = matches[i].*index) match_of_id[explanation.instructions[*own].id] = i;
    StallTimes left = explanation.times;
    const auto account = [&](Match match, Stall stall, Match producer, Ticks time) {
      left[static_cast<std::size_t>(stall)].count -= time.count;
      add({match, stall, producer}, side, share(time, outcome));
    };
    for (const InstructionTimes& instruction : explanation.instructions) {
      const std::size_t match = match_of_id.at(instruction.id);
      StallTimes times = instruction.times;
      for (const auto& [producer, time] : instruction.waits_for) {
        const auto known = match_of_id.find(producer);
        if (known == match_of_id.end()) continue;
        account(match, Stall::Result, known->second, time);
        times[static_cast<std::size_t>(Stall::Result)].count -= time.count;
      }
      for (std::size_t i = 0; i < kStalls; ++i) account(match, static_cast<Stall>(i), std::nullopt, times[i]);
    }
    const StallTimes of_none = left;
    for (std::size_t i = 0; i < kStalls; ++i) account(std::nullopt, static_cast<Stall>(i), std::nullopt, of_none[i]);
  }

  std::vector<Contribution> ranked() const {
    std::vector<Contribution> ranked;
    for (const auto& [key, sides] : sums_)
      if (sides.a.count != 0 || sides.b.count != 0) ranked.push_back(sides);
    std::ranges::stable_sort(ranked, std::ranges::greater{},
                             [](const Contribution& each) { return std::abs(each.change()); });
    return ranked;
  }

 private:
  using Key = std::tuple<Match, Stall, Match>;

  static Seconds share(Ticks time, const Outcome& outcome) {
    const Ticks all = outcome.explanation.total;
    return {all.count == 0 ? 0 : outcome.prediction.time.count * (to_cycles(time).count / to_cycles(all).count)};
  }

  void add(const Key& key, Seconds Contribution::*side, Seconds time) {
    Contribution& sum = sums_[key];
    std::tie(sum.match, sum.stall, sum.producer) = key;
    (sum.*side).count += time.count;
  }

  std::map<Key, Contribution> sums_;
};

}  // namespace

double slowdown(const Difference& difference) {
  const auto [a, b] = std::pair(difference.a.prediction.time.count, difference.b.prediction.time.count);
  if (a == 0) return b == 0 ? 0 : std::numeric_limits<double>::infinity();
  return b / a - 1;
}

Difference difference(Outcome a, Outcome b) {
  Difference result;
  Instructions &of_a = a.explanation.instructions, &of_b = b.explanation.instructions;
  result.instructions = match_instructions(of_a, of_b);
  if (has_stalls(a) && has_stalls(b)) {
    Accounts accounts;
    // Where a single result names its instructions, their states alone can be compared.
    if (of_a.empty() != of_b.empty()) {
      of_a.clear();
      of_b.clear();
      result.instructions.clear();
    }
    accounts.add(a, result.instructions, &Contribution::a, &InstructionMatch::a);
    accounts.add(b, result.instructions, &Contribution::b, &InstructionMatch::b);
    result.contributions = accounts.ranked();
  }
  result.a = std::move(a);
  result.b = std::move(b);
  return result;
}

}  // namespace warpipe
