#pragma once

#include <cstdint>
#include <vector>

#include "symbolic/group_forms.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe::isa {

/// The kinds of groups by their index, as runs of one kind; begins anew where it ends.
/// @param boxes  fill the grid
/// @complexity   boxes x log(boxes) where they lie in rows
std::vector<GroupKinds::Run> order_of(const std::vector<GroupBox>& boxes);

/// Appends a list of runs so many times; runs of one kind that meet become one. Where that makes more than 2^16 runs,
/// it is appended less often with longer runs: as many groups of each kind, in a coarser order.
void append_repeated(std::vector<GroupKinds::Run>& runs, const std::vector<GroupKinds::Run>& pattern,
                     std::int64_t times);

/// @return the shortest list that, begun anew wherever it ends, gives the same groups
std::vector<GroupKinds::Run> shorten_runs(const std::vector<GroupKinds::Run>& runs);

}  // namespace warpipe::isa
