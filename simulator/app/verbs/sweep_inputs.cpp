#include "verbs/sweep_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cluster/on_ranks.hpp"
#include "command_line/options.hpp"
#include "verbs/sweep_models.hpp"
#include "warpipe/sweep/equal_work.hpp"

namespace warpipe::app {
namespace {

/// Warns if an argument varies and the grid does not: arguments often give the size of the data, which the grid covers.
void warn_of_fixed_grid(Voice voice, const std::vector<Variation>& variations) {
  using Kind = Variation::Kind;
  const auto varies = [&](Kind kind) { return std::ranges::find(variations, kind, &Variation::kind); };
  const auto argument = varies(Kind::Argument);
  if (argument == variations.end() || varies(Kind::Grid) != variations.end()) return;
  warn(voice, fmt::format("{} varies and the grid does not: if it is a size, vary the grid too", argument->name));
}

std::size_t read_count(const Arguments& arguments, const char* option) {
  return static_cast<std::size_t>(arguments.whole(option, 1).value_or(0));
}

Search read_search(const Arguments& arguments) {
  const auto kind = arguments.value("search");
  if (!kind) {
    for (const char* option : {"budget", "seed"})
      if (arguments.has(option))
        refuse(fmt::format("--{}", option), "there is no search that it is for", "",
               "give --search random or --search halving too, or leave it out");
    return {};
  }
  if (!arguments.has("budget"))
    refuse("--search", "the search has no end", "", "say how many points may be predicted: --budget 100");
  return {*kind == "random" ? Search::Kind::Random : Search::Kind::Halving, read_count(arguments, "budget"),
          static_cast<std::uint64_t>(arguments.whole("seed", 0).value_or(1))};
}

std::vector<Restriction> read_restrictions(const Arguments& arguments, const std::vector<Variation>& variations) {
  std::vector<Restriction> restrictions;
  for (const auto& text : arguments.values("where")) restrictions.emplace_back(text, variations);
  return restrictions;
}

}  // namespace

bool Sweep::work_differs() const { return !changes_of_work(variations).empty(); }

Sweep read_sweep(const Ranks& ranks, const Arguments& arguments) {
  const auto search = read_search(arguments);
  auto [models, texts] = read_sweep_models(arguments, DataFiles(arguments.value("data")));
  const auto varied = arguments.values("vary");
  if (varied.empty()) refuse("--vary", "the option is missing", "", "give --vary NAME=VALUES");
  auto variations = read_variations(varied, models);
  const auto voice = voice_of(ranks, arguments);
  warn_of_fixed_grid(voice, variations);
  auto options = read_launch_options(arguments);
  options.range = read_range(arguments, false);
  options.tolerance = read_tolerance(arguments);
  auto restrictions = read_restrictions(arguments, variations);
  const auto combinations = number_of_points(variations);
  const auto top = arguments.has("top") ? std::optional(read_count(arguments, "top")) : std::nullopt;
  return {std::move(models),
          std::move(texts),
          std::move(options),
          std::move(variations),
          std::move(restrictions),
          search,
          top,
          combinations,
          read_threads(arguments),
          voice};
}

}  // namespace warpipe::app
