#pragma once

#include <map>
#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/ptx/import.hpp"

namespace warpipe::test {

/// Instructions issued by the warps of each group of a launch.
struct IssuedByGroups {
  std::vector<double> groups;         ///< instructions, by the group's index
  std::map<std::string, double> ops;  ///< of all groups
  double all() const;
};

/// Executes the slice for all warps of every group, one by one, and counts the issued instructions. Groups share
/// nothing.
IssuedByGroups execute_every_group(const ptx::Module& module, const ptx::ImportOptions& options);

/// Instructions issued by the groups of a kernel, by evaluating it for every kind and warp.
IssuedByGroups issued_by(const Kernel& kernel);

}  // namespace warpipe::test
