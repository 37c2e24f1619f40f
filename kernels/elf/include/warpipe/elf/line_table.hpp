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

/// The source lines of code.
struct LineTable {
  std::map<std::uint32_t, std::string> files;  ///< as given to the compiler
  /// By section of code, by the first byte from its start to which a place applies.
  std::map<std::uint32_t, std::map<std::uint64_t, LinePlace>> places;
};

/// Reads the line table of DWARF, versions 2 to 5, in section .debug_line.
/// @return empty without a line table, or for another version
/// @throws InputError for a damaged table
LineTable read_line_table(const Object& object);

}  // namespace warpipe::elf
