#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lanes/arguments.hpp"

/// Structures among the parameters, read at places known only during execution: `tensors.of[blockIdx.y].data`.

namespace warpipe::isa {

/// A place in a structure.
struct StructurePlace {
  std::size_t parameter = 0;
  std::int64_t offset = 0;  ///< bytes from its start
};

/// The bytes of a structure.
std::int64_t bytes_of(const Parameter& structure);

/// The place in a structure for a user's name: "shape+8", "0+8".
std::optional<StructurePlace> find_field(const Program& program, const std::vector<std::string>& names,
                                         const std::string& given);

/// The same; nothing for a place outside of structures read at computed places.
std::optional<StructurePlace> find_place(const Program& program, const std::vector<std::string>& names,
                                         const std::string& given);

/// "shape+8"
std::string place_label(const Program& program, const std::vector<std::string>& names, const StructurePlace& place);

/// The start of the array behind a pointer in a structure. The arrays of a structure count as one array, evenly apart:
/// 1 GiB in a structure of 4 KiB.
std::uint64_t array_of_pointer(const Program& program, const StructurePlace& place);

/// The pointer to the array around an address, and the address's distance from the array's start; addresses a little
/// before the start count, too.
struct PointedPlace {
  StructurePlace pointer;
  std::int64_t offset = 0;
};
std::optional<PointedPlace> find_pointer(const Program& program, std::uint64_t address);

/// The loads of 64 bits from structures with results used as addresses.
/// @return by instruction
std::vector<bool> loads_of_pointers(const Program& program, const ReachingDefinitions& definitions);

/// Whether an instruction may load from a structure, as far as the text tells.
bool loads_from_structure(const Program& program, const Instruction& instruction);

}  // namespace warpipe::isa
