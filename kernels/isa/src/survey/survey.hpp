#pragma once

#include <cstdint>

#include "lanes/execution.hpp"

namespace warpipe::isa {

/// Instructions of the slice that may be executed until it takes too long to look at more groups than it must: to find
/// their kinds, and from then on anew for their statistics and addresses.
std::int64_t left_to_spend(const ExecutionInput& input, const Execution& execution);

/// Finds out which groups behave alike, and executes the slice for all warps of groups of each kind. Along an axis of
/// the grid that control does not depend on, groups are alike; along others all are looked at, or as many as it takes
/// to see where they change or how they repeat, which further ones confirm. Where they do not, each group that was
/// not looked at is taken to be like the one nearest to it, evenly spread. Lanes of a warp that go different ways do
/// so one after the other and meet again at the first block that all of them reach. Iterations of a loop that only
/// move numbers by constant steps are closed in form.
/// @throws InputError, with the line, for control or an address that depends on data of which nothing is known, an
/// argument
///                    that is missing, a division by zero, an access outside the shared memory, an endless loop or
///                    one beyond the budget; UsageError for a label that is none
/// @complexity instructions of the slice that are executed, times the lanes
Execution execute(const ExecutionInput& input);

}  // namespace warpipe::isa
