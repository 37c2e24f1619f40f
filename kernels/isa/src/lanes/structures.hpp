#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lanes/arguments.hpp"

/// Structures among the parameters that are read at places which only execution tells: `tensors.of[blockIdx.y].data`.

namespace warpipe::isa {

/// A place in a structure.
struct StructurePlace {
  std::size_t parameter = 0;
  std::int64_t offset = 0;  ///< bytes from its start
};

/// The bytes of a structure.
std::int64_t bytes_of(const Parameter& structure);

/// The place in a structure that a user names as "shape+8", "0+8".
std::optional<StructurePlace> find_field(const Program& program, const std::vector<std::string>& names,
                                         const std::string& given);

/// The same; nothing where it is in no structure that is read at computed places.
std::optional<StructurePlace> find_place(const Program& program, const std::vector<std::string>& names,
                                         const std::string& given);

/// "shape+8"
std::string place_label(const Program& program, const std::vector<std::string>& names, const StructurePlace& place);

/// Where the array begins that a pointer in a structure leads to. Those of one structure count as one array, in which
/// they lie evenly apart: 1 GiB in one of 4 KiB.
std::uint64_t array_of_pointer(const Program& program, const StructurePlace& place);

/// The pointer that leads to an address, and how far that lies behind the start of its array; a little before is in it.
struct PointedPlace {
  StructurePlace pointer;
  std::int64_t offset = 0;
};
std::optional<PointedPlace> find_pointer(const Program& program, std::uint64_t address);

/// The loads of 64 bits from such structures whose results are used as addresses.
/// @return by instruction
std::vector<bool> loads_of_pointers(const Program& program, const ReachingDefinitions& definitions);

/// Whether an instruction may load from such a structure, as far as the text tells.
bool loads_from_structure(const Program& program, const Instruction& instruction);

}  // namespace warpipe::isa
