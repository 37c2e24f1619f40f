#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/engine/group_order.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/units.hpp"

/// Which groups of a launch differ, and which of them one unit plays that stands for all (rule 8 of the model).

namespace warpipe {

/// The kinds of a launch's groups.
struct LaunchKinds {
  std::vector<std::int64_t> numbers;  ///< as the kernel numbers them, each that occurs, ascending
  GroupOrder order;                   ///< of the launch; its kinds are indices into `numbers`
};

/// Finds the kind of every group of a launch.
/// @param values  of the launch: the parameters, group_size, warps
/// @param groups  Ntotal
/// @throws ModelError (`where` is the path in the kernel's file) where an expression has no value, and for an
///                    expression over more than 2^22 groups or a table of more than 2^22 kinds
/// @complexity groups for an expression, runs of the table else
LaunchKinds launch_kinds(const Kernel& kernel, const Values& values, std::int64_t groups);

/// Picks the groups that one unit plays for a whole launch. The groups of the launch, sorted by work (equal work by
/// index), are cut into as many equal parts as are picked; each part sends the group whose work is nearest to the mean
/// of its part plus what the parts before it left over. Where that leaves more than half a per cent, groups are
/// exchanged for others as long as that brings the work nearer. They are placed in the order of their index in the
/// launch.
/// @param order   of the whole launch
/// @param total   groups of the launch
/// @param work    of a group of each kind, >= 0
/// @param picked  groups to pick, 1 to total
/// @return        the order of those that were picked
/// @throws ModelError where groups differ and more than 2^22 are to be picked
/// @complexity (runs + picked) x their logarithm, and the different amounts of work once
GroupOrder sample_groups(const GroupOrder& order, std::int64_t total, const std::vector<std::int64_t>& work,
                         std::int64_t picked);

}  // namespace warpipe
