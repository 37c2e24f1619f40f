#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/isa/dataflow.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// The registers in the address of an access.
std::vector<RegisterRange> address_registers(const Instruction& instruction);

/// The instructions needed for control and addresses. Without executing the rest, an import knows the executed
/// instructions and the addresses they reach.
struct Slice {
  std::vector<bool> needed;  ///< by instruction
  std::size_t size = 0;      ///< the number of needed instructions
  bool accesses = true;      ///< accesses to memory are executed, too
};

/// The instructions needed for control alone, and the scope of their behaviour.
struct ControlSlice {
  Slice slice;                 ///< without the accesses not needed for control
  std::array<bool, 3> axes{};  ///< of the grid: control may differ along them
  bool by_thread = false;      ///< control may differ between the threads of a group
};

/// The backward slice from the guards of jumps and exits, the indices of tables, and the guards and addresses of
/// accesses, through the writes that reach each read; with an explicit execution mask also from the mask wherever lanes
/// are active by it.
/// @complexity reads x their writers
Slice find_slice(const Program& program, const ReachingDefinitions& definitions);

/// The backward slice from the guards of jumps and exits and the indices of tables alone. The names of thread and group
/// in the slice tell how behaviour may differ; anything else is certainly alike.
/// @complexity reads x their writers
ControlSlice find_control_slice(const Program& program, const ReachingDefinitions& definitions);

/// The origin of an address: the numbers it depends on.
struct AddressOrigin {
  std::array<bool, 3> axes{};  ///< axes of the grid along which it may differ
  bool by_thread = false;      ///< it may differ between the threads of a group
  bool loaded = false;         ///< numbers from global memory are in it
  friend bool operator==(const AddressOrigin&, const AddressOrigin&) = default;
};

/// The number of a group's place along some axes of the grid, regardless of its place along the further axes.
std::uint64_t place_along(const std::array<bool, 3>& axes, const Dimensions& grid, const Dimensions& group);

/// The address origin of each instruction.
/// @complexity reads x their writers, times the depth of address computations
std::vector<AddressOrigin> origins_of_addresses(const Program& program, const ReachingDefinitions& definitions);

}  // namespace warpipe::isa
