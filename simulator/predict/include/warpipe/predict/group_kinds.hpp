#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "warpipe/engine/group_order.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/units.hpp"

/// The kinds of groups of a launch, and the sample of groups to simulate where one unit stands for all (rule 8 of the
/// model).

namespace warpipe {

/// The kinds of a launch's groups.
struct LaunchKinds {
  std::vector<std::int64_t> numbers;  ///< as the kernel numbers them, only kinds with groups, ascending
  GroupOrder order;                   ///< of the launch; its kinds are indices into `numbers`

  /// The index of the first group of each kind in the launch, by kind.
  std::map<std::int64_t, std::int64_t> first_groups() const;
};

/// Whether an address of a kernel uses both the kind of a group and its index.
/// @param names_of_kinds  `kind` and the values of the kinds
bool addresses_differ_by_kind(const Kernel& kernel, const NameSet& names_of_kinds);

/// Finds the kind of every group of a launch.
/// @param values  of the launch: the parameters, group_size, warps
/// @param groups  Ntotal
/// @throws ModelError (`where` is the path in the kernel's file) where an expression has no value, and for an
///                    expression over more than 2^22 groups or a table of more than 2^22 kinds
/// @complexity groups for an expression, runs of the table else
LaunchKinds launch_kinds(const Kernel& kernel, const Values& values, std::int64_t groups);

/// Picks the groups of the unit simulated for a whole launch. The groups of the launch, sorted by work (equal work by
/// index), are cut into as many equal parts as groups are picked, and the middle group of each part is picked. If the
/// sum of their work is then off by more than half a per cent, picked groups are exchanged for unpicked groups as long
/// as each exchange brings the sum nearer. If the largest group of the launch does more than one and a half times the
/// intended sum, it takes the place of the smallest picked group. No group is picked twice. The picked groups are
/// placed in the order of their index in the launch.
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
