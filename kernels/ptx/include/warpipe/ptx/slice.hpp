#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "warpipe/ptx/control_flow.hpp"

namespace warpipe::ptx {

/// What control and addresses need: stage 3 of the import. Whatever is not in it need not be executed to know which
/// instructions run and which addresses they reach.
struct Slice {
  std::vector<bool> needed;  ///< one an instruction
  std::size_t size = 0;      ///< how many are
  bool accesses = true;      ///< what reaches memory is executed, too
};

/// What control alone needs, and whose behaviour may differ.
struct ControlSlice {
  Slice slice;                 ///< without the accesses that it does not need
  std::array<bool, 3> axes{};  ///< of the grid: control may differ along them
  bool by_thread = false;      ///< control may differ between the threads of a group
};

/// Whether an instruction reaches memory with addresses of its own: loads, stores and atomic operations but those of
/// parameters.
bool is_access(const Instruction& instruction);

/// The backward slice from the guards of branches, exits and accesses, the indices of jump tables and the bases of
/// addresses, through all writes of each register.
/// @complexity linear in operands
Slice find_slice(const Routine& routine);

/// The backward slice from the guards of branches and exits and the indices of jump tables alone. Says by what names of
/// the thread and the group in it how behaviour may differ: what it does not say is certain.
/// @complexity linear in operands
ControlSlice find_control_slice(const Routine& routine);

/// By which axes of the grid the addresses of each instruction may differ.
/// @complexity linear in operands, times the depth of what addresses are made of
std::vector<std::array<bool, 3>> axes_of_addresses(const Routine& routine);

}  // namespace warpipe::ptx
