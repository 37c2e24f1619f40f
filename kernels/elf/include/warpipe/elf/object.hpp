#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The container of machine code: ELF of 64 bits, low bytes first.

namespace warpipe::elf {

inline constexpr std::uint16_t kNvidia = 190, kAmd = 224;  ///< machines

struct Section {
  std::string name;
  std::uint32_t type = 0, link = 0, info = 0;
  std::uint64_t flags = 0, address = 0;
  std::uint64_t size = 0;     ///< bytes
  std::string_view contents;  ///< of the bytes read; empty where the file does not hold them (NOBITS)
};

struct Symbol {
  std::string name;
  std::uint8_t type = 0, binding = 0;
  std::uint32_t section = 0;  ///< its number; 0: none of this file
  std::uint64_t value = 0;    ///< bytes from the start of its section, or an address
  std::uint64_t size = 0;     ///< bytes
};

/// A place in a section for a linker to fill in.
struct Relocation {
  std::uint64_t offset = 0;  ///< bytes from the start of the section
  std::uint32_t symbol = 0, type = 0;
  std::int64_t addend = 0;
};

/// A file taken apart. It refers to the bytes it was read from.
struct Object {
  std::string file;        ///< for messages
  std::uint16_t type = 0;  ///< 1: relocatable, with symbols at places in sections, not addresses
  std::uint16_t machine = 0;
  std::uint8_t os_abi = 0, abi_version = 0;
  std::uint32_t flags = 0;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  std::map<std::string, std::uint32_t, std::less<>> numbers;  ///< of sections, by name; the first of each

  /// @return null for an unknown name
  const Section* find(std::string_view name) const;
  /// Of the section with this number.
  std::vector<Relocation> relocations(std::uint32_t section) const;
  std::string place(const Section& section) const { return file + ": " + section.name; }
};

/// @param bytes  must outlive the result
/// @throws InputError, with the file and the section, for any other kind of file, or for a place outside of it
Object read_object(std::string_view bytes, const std::string& file);

}  // namespace warpipe::elf
