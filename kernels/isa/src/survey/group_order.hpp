#pragma once

#include <cstdint>
#include <vector>

#include "symbolic/group_forms.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe::isa {

/// The kinds of groups in the order of their indices, as runs of a kind; the list starts over at its end.
/// @param boxes  fill the grid
/// @complexity   boxes x log(boxes) where they lie in rows
std::vector<GroupKinds::Run> order_of(const std::vector<GroupBox>& boxes);

/// Appends a list of runs `times` times, and joins neighbouring runs of a kind. Beyond 2^16 runs the list is appended
/// less often with longer runs: as many groups of each kind, in a coarser order.
void append_repeated(std::vector<GroupKinds::Run>& runs, const std::vector<GroupKinds::Run>& pattern,
                     std::int64_t times);

/// @return the shortest list that gives the same groups when repeated
std::vector<GroupKinds::Run> shorten_runs(const std::vector<GroupKinds::Run>& runs);

}  // namespace warpipe::isa
