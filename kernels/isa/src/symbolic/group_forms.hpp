#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "symbolic/program_forms.hpp"

namespace warpipe::isa {

/// Places along an axis of the grid: a first place, and further places by steps.
struct PlacesAlong {
  std::int64_t first = 0, places = 1, step = 1;
  std::int64_t place(std::int64_t number) const { return first + number * step; }
};

/// Groups of one kind, by their places along each axis.
struct GroupBox {
  std::array<PlacesAlong, 3> sides;
  std::uint32_t kind = 0;
};

/// The kinds of a launch's groups by arithmetic: the groups of a kind go the same ways, thread by thread, and the same
/// threads make its accesses under a predicate. The grid as a box is halved until no condition and no number of trips
/// in a box depends on the group; boxes with the same conditions and trips are of the same kind, and neighbouring boxes
/// of a kind are joined. Where conditions depend on remainders of the group's number, each remainder gets boxes of its
/// own.
///
///     32768 groups of 256 threads, i < n:    [0, 16383] all | [16384] 13 of 256 | [16385, 32767] none
///
/// @param forms  gets more forms
/// @return       boxes filling the grid, with equal steps along each axis; nothing where control depends on data, or
///               boxes are too many
/// @complexity   boxes x log(groups) x forms of control
std::optional<std::vector<GroupBox>> alike_groups(const Program& program, ProgramForms& forms, const Dimensions& block,
                                                  const Dimensions& grid);

}  // namespace warpipe::isa
