#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "symbolic/program_forms.hpp"

namespace warpipe::isa {

/// Groups whose threads all go the same ways.
struct GroupsAlike {
  Dimensions example{0, 0, 0};  ///< the place of one of them
  std::int64_t groups = 1;      ///< how many there are
};

/// The kinds of a launch's groups, by arithmetic: the grid as a box is halved until no condition, no number of trips in
/// a box depends on the group any more; boxes with the same ones are of one kind. Where that depends on remainders of
/// the group's number, boxes are of the numbers with each remainder.
///
///     32768 groups of 256 threads, i < n:    [0, 16384) all true | [16384, 32768) -> ... | [32767] 13 of 256
///
/// @param forms  gets more forms
/// @return       the most frequent ones first; nothing where control depends on data, or is of too many kinds
/// @complexity   kinds x log(groups) x forms that control depends on, where kinds lie together along an axis
std::optional<std::vector<GroupsAlike>> alike_groups(ProgramForms& program, const Dimensions& block,
                                                     const Dimensions& grid);

}  // namespace warpipe::isa
