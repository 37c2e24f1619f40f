#include "verbs/sweep_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cluster/on_ranks.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/progress.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/sweep/halving.hpp"

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

std::vector<std::optional<double>> guess_costs(Ranks& ranks, const Sweep& sweep, const Ranks::Study& study,
                                               const ChosenPoints& chosen, int halvings) {
  std::vector<std::optional<double>> costs;
  ProgressLine progress(
      sweep.voice,
      shared_by(ranks, {fmt::format("points, one {}th of each", 1 << halvings), chosen.size(), 0, {}, {}}));
  Interruptible interruptible([&] {
    progress.end();
    fmt::print(stderr, "warpipe: interrupted in the search, before the first row\n");
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

ChosenPoints choose_points(Ranks& ranks, const Sweep& sweep, const Ranks::Study& study) {
  ChosenPoints chosen(sweep.combinations);
  restrict_points(chosen, sweep);
  if (sweep.search.kind == Search::Kind::Random) chosen.draw(sweep.search.budget, sweep.search.seed);
  if (sweep.search.kind == Search::Kind::Halving && chosen.size() > 0) halve(chosen, ranks, sweep, study);
  return chosen;
}

}  // namespace warpipe::app
