#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/engine/group_order.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/units.hpp"

/// The kinds of groups of a launch, and the sample of them that is simulated where one unit stands for all (rule 8 of
/// the model).

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

/// Picks the groups that one unit simulates for a whole launch. The groups of the launch, sorted by work (equal work by
/// index), are cut into as many equal parts as groups are picked. From each part comes the group whose work is nearest
/// to the mean of the part plus the remainder of the parts before it. Where the sum is then off by more than half a per
/// cent, groups are exchanged for others as long as that brings it nearer; where it is then less than a tenth, the
/// largest group of the launch takes the place of the smallest one. They are placed in the order of their index in the
/// launch.
/// @param order   of the whole launch
/// @param total   groups of the launch
/// @param work    of a group of each kind, >= 0
/// @param picked  groups to pick, 1 to total
/// @return        the order of the picked groups
/// @throws ModelError where groups differ and more than 2^22 are to be picked
/// @complexity (runs + picked) x their logarithm, and the different amounts of work once
GroupOrder sample_groups(const GroupOrder& order, std::int64_t total, const std::vector<std::int64_t>& work,
                         std::int64_t picked);

}  // namespace warpipe
