#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/isa/dataflow.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// The registers that the address of an access is made of.
std::vector<RegisterRange> address_registers(const Instruction& instruction);

/// What control and addresses need. Whatever is not in it need not be executed to know which instructions run and which
/// addresses they reach.
struct Slice {
  std::vector<bool> needed;  ///< by instruction
  std::size_t size = 0;      ///< how many are
  bool accesses = true;      ///< what reaches memory is executed, too
};

/// What control alone needs, and whose behaviour may differ.
struct ControlSlice {
  Slice slice;                 ///< without the accesses that it does not need
  std::array<bool, 3> axes{};  ///< of the grid: control may differ along them
  bool by_thread = false;      ///< control may differ between the threads of a group
};

/// The backward slice from the guards of jumps and exits, the indices of tables, and the guards and addresses of
/// accesses, through the writes that reach each read; with an explicit execution mask also from the mask wherever lanes
/// are active by it.
/// @complexity reads x their writers
Slice find_slice(const Program& program, const ReachingDefinitions& definitions);

/// The backward slice from the guards of jumps and exits and the indices of tables alone. Says by what names of the
/// thread and the group in it how behaviour may differ: what it does not say is certain.
/// @complexity reads x their writers
ControlSlice find_control_slice(const Program& program, const ReachingDefinitions& definitions);

/// What an address is made of.
struct AddressOrigin {
  std::array<bool, 3> axes{};  ///< of the grid, by which it may differ
  bool by_thread = false;      ///< it may differ between the threads of a group
  bool loaded = false;         ///< numbers from global memory are in it
  friend bool operator==(const AddressOrigin&, const AddressOrigin&) = default;
};

/// The number of a group's place along some axes of the grid; where it lies along the others does not matter.
std::uint64_t place_along(const std::array<bool, 3>& axes, const Dimensions& grid, const Dimensions& group);

/// Of each instruction.
/// @complexity reads x their writers, times the depth of what addresses are made of
std::vector<AddressOrigin> origins_of_addresses(const Program& program, const ReachingDefinitions& definitions);

}  // namespace warpipe::isa
