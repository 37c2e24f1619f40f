#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "warpipe/elf/object.hpp"

namespace warpipe::elf {

/// A line of a source.
struct LinePlace {
  std::uint32_t file = 0;  ///< key of LineTable::files
  std::uint32_t line = 0;  ///< 0: none
  friend bool operator==(const LinePlace&, const LinePlace&) = default;
};

/// Which lines code was made from.
struct LineTable {
  std::map<std::uint32_t, std::string> files;  ///< as the compiler was given them
  /// By section of code, by the bytes from its start from which on it holds.
  std::map<std::uint32_t, std::map<std::uint64_t, LinePlace>> places;
};

/// Reads the line table of DWARF, versions 2 to 5, in section .debug_line.
/// @return empty where there is none, or where it is of another version
/// @throws InputError where it is damaged
LineTable read_line_table(const Object& object);

}  // namespace warpipe::elf
