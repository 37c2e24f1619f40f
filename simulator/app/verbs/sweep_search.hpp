#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "verbs/sweep_inputs.hpp"

namespace warpipe::app {

/// The result of a rank for a sweep: the row of a combination, or a guess of its cost from a part of its groups.
struct SweepItem {
  std::size_t combination = 0;
  int halvings = 0;  ///< of the groups; 0: the row
};
std::uint64_t pack(const SweepItem& item);
SweepItem unpack_sweep_item(std::uint64_t packed);

/// A guess as one rank sends it to another, exact to the last bit; empty where there is none.
std::string pack_cost(const std::optional<double>& cost);
std::optional<double> unpack_cost(const std::string& packed);

/// The points left by --where and --search, without points whose resident warps are no whole number of groups: a
/// warning gives their number. A search by halving is done here, on all ranks.
/// @param study  makes the items
/// @throws UsageError where none is left
ChosenPoints choose_points(Ranks& ranks, const Sweep& sweep, const SweepStudy& points, const Ranks::Study& study);

}  // namespace warpipe::app
