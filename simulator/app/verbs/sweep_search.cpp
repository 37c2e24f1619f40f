#include "verbs/sweep_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cluster/on_ranks.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/messages.hpp"
#include "terminal/progress.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/sweep/halving.hpp"
#include "warpipe/sweep/variation.hpp"

namespace warpipe::app {
namespace {

constexpr int kBitsOfCombination = 32;

void restrict_points(ChosenPoints& chosen, const Sweep& sweep) {
  if (sweep.restrictions.empty()) return;
  chosen.keep_if([&](std::size_t combination) {
    const auto values = values_of_point(combination, sweep.variations);
    return std::ranges::all_of(sweep.restrictions, [&](const Restriction& one) { return one.holds(values); });
  });
  if (chosen.size() == 0)
    refuse("--where", fmt::format("it holds for none of the {} points", sweep.combinations), "",
           "vary more, or restrict less");
}

/// Finds the warps of a group, once for all combinations with the same kernel and group size.
class WarpsOfGroups {
 public:
  WarpsOfGroups(const Sweep& sweep, const SweepStudy& points) : sweep_(sweep), points_(points) {}

  std::optional<std::int64_t> of(std::size_t combination, const std::vector<VariedValue>& values) {
    using Kind = Variation::Kind;
    std::vector<std::string> deciding;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Kind kind = sweep_.variations[i].kind;
      if (kind != Kind::Occupancy && kind != Kind::Policy && kind != Kind::ConflictDegree && kind != Kind::Transactions)
        deciding.push_back(to_string(values[i]));
    }
    const auto [known, is_new] = known_.try_emplace(std::move(deciding));
    if (is_new) known->second = points_.warps_of_group(combination);
    return known->second;
  }

 private:
  const Sweep& sweep_;
  const SweepStudy& points_;
  std::map<std::vector<std::string>, std::optional<std::int64_t>> known_;
};

/// A user who writes occupancy=1:64 does not mean resident warps with a part of a group.
void leave_out_parts_of_groups(ChosenPoints& chosen, const Sweep& sweep, const SweepStudy& points) {
  const auto occupancy = std::ranges::find(sweep.variations, Variation::Kind::Occupancy, &Variation::kind);
  if (occupancy == sweep.variations.end()) return;
  const auto place = static_cast<std::size_t>(occupancy - sweep.variations.begin());
  const auto before = chosen.size();
  WarpsOfGroups warps(sweep, points);
  std::int64_t least = 0;
  chosen.keep_if([&](std::size_t combination) {
    const auto values = values_of_point(combination, sweep.variations);
    const auto of_group = warps.of(combination, values);
    if (of_group) least = least == 0 ? *of_group : std::min(least, *of_group);
    return !of_group || static_cast<std::int64_t>(values[place].number) % *of_group == 0;
  });
  const auto left_out = before - chosen.size();
  if (chosen.size() == 0)
    refuse("--vary occupancy", "resident warps must be a whole number of groups",
           fmt::format("none of the {} values is", occupancy->values.size()),
           fmt::format("give multiples of {}", least));
  if (left_out > 0)
    warn(sweep.voice,
         fmt::format("occupancy: {} of {} points are left out, whose resident warps are no whole number of "
                     "groups",
                     left_out, before));
}

std::vector<std::optional<double>> guess_costs(Ranks& ranks, const Sweep& sweep, const Ranks::Study& study,
                                               const ChosenPoints& chosen, int halvings) {
  std::vector<std::optional<double>> costs;
  ProgressLine progress(
      sweep.voice,
      shared_by(ranks, {fmt::format("points, one {}th of each", 1 << halvings), chosen.size(), 0, {}, {}}));
  Interruptible interruptible([&] {
    progress.end();
    to_standard_error("warpipe: interrupted in the search, before the first row\n");
  });
  const auto item = [&](std::size_t index) { return pack(SweepItem{chosen[index], halvings}); };
  ranks.for_each_in_order(study, {0, chosen.size()}, item, [&](const std::string& made) {
    costs.push_back(unpack_cost(made));
    progress.show(costs.size());
  });
  return costs;
}

void halve(ChosenPoints& chosen, Ranks& ranks, const Sweep& sweep, const Ranks::Study& study) {
  const auto rungs = halving_rungs(sweep.search.budget, chosen.size());
  chosen.draw(rungs.front().points, sweep.search.seed);
  for (std::size_t next = 1; next < rungs.size(); ++next) {
    chosen.keep_cheapest(rungs[next].points, guess_costs(ranks, sweep, study, chosen, rungs[next - 1].halvings));
    if (chosen.size() == 0)
      refuse("--search halving", "no point can be compared with another", "",
             sweep.work_differs() ? "the points do different work, and the kernel states neither operations nor bytes: "
                                    "vary what leaves the work the same"
                                  : "simulate one alone to see what is wrong");
  }
}

}  // namespace

std::uint64_t pack(const SweepItem& item) {
  return static_cast<std::uint64_t>(item.halvings) << kBitsOfCombination | item.combination;
}

SweepItem unpack_sweep_item(std::uint64_t packed) {
  return {packed & UINT32_MAX, static_cast<int>(packed >> kBitsOfCombination)};
}

std::string pack_cost(const std::optional<double>& cost) { return cost ? fmt::format("{}", *cost) : ""; }

std::optional<double> unpack_cost(const std::string& packed) { return parse_number(packed); }

ChosenPoints choose_points(Ranks& ranks, const Sweep& sweep, const SweepStudy& points, const Ranks::Study& study) {
  ChosenPoints chosen(sweep.combinations);
  restrict_points(chosen, sweep);
  leave_out_parts_of_groups(chosen, sweep, points);
  if (sweep.search.kind == Search::Kind::Random) chosen.draw(sweep.search.budget, sweep.search.seed);
  if (sweep.search.kind == Search::Kind::Halving && chosen.size() > 0) halve(chosen, ranks, sweep, study);
  return chosen;
}

}  // namespace warpipe::app
