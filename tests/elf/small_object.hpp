#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace warpipe::test {

/// Numbers, low bytes first, in a row.
class ByteText {
 public:
  template <std::integral Number>
  ByteText& add(Number number) {
    for (std::size_t byte = 0; byte < sizeof number; ++byte)
      text += static_cast<char>((static_cast<std::uint64_t>(number) >> (8 * byte)) & 0xffU);
    return *this;
  }
  ByteText& add(const std::string& more) { return text += more, *this; }

  std::string text;
};

struct SmallSection {
  std::string name;
  std::uint32_t type = 1, link = 0, info = 0;
  std::string contents;
};

struct SmallSymbol {
  std::string name;
  std::uint16_t section = 0;
};

/// An ELF file as a compiler writes it: section 0 is empty, 1 holds names, 2 symbols, 3 their names, then the given
/// sections.
std::string small_object(std::uint16_t machine, std::uint32_t flags, const std::vector<SmallSection>& sections,
                         const std::vector<SmallSymbol>& symbols = {}, char abi_version = 8);

/// A piece of a fat binary, in the layout of nvcc 13.
/// @param kind  1: PTX, 2: machine code
std::string fat_piece(std::uint16_t kind, std::uint32_t architecture, std::uint64_t flags, const std::string& contents);
std::string fat_binary(const std::string& pieces);

/// An attribute of .nv.info with a text.
std::string attribute(std::uint8_t number, const std::string& text);

}  // namespace warpipe::test
