#include "small_object.hpp"

namespace warpipe::test {

std::string fat_piece(std::uint16_t kind, std::uint32_t architecture, std::uint64_t flags,
                      const std::string& contents) {
  ByteText text;
  text.add(kind).add(std::uint16_t{0x101}).add(std::uint32_t{64}).add(std::uint64_t{contents.size()});
  text.add(static_cast<std::uint64_t>(contents.size()))
      .add(std::uint32_t{0})
      .add(architecture)
      .add(std::uint64_t{0})
      .add(flags);
  return text.add(std::string(16, '\0')).add(contents).text;
}

std::string fat_binary(const std::string& pieces) {
  return ByteText()
             .add(0xba55ed50U)
             .add(std::uint16_t{1})
             .add(std::uint16_t{16})
             .add(std::uint64_t{pieces.size()})
             .text +
         pieces;
}

std::string attribute(std::uint8_t number, const std::string& text) {
  return ByteText().add(std::uint8_t{4}).add(number).add(static_cast<std::uint16_t>(text.size())).add(text).text;
}

std::string small_object(std::uint16_t machine, std::uint32_t flags, const std::vector<SmallSection>& given,
                         const std::vector<SmallSymbol>& symbols, char abi_version) {
  std::string symbol_names(1, '\0');
  ByteText table;
  table.add(std::string(24, '\0'));
  for (const auto& symbol : symbols) {
    table.add(static_cast<std::uint32_t>(symbol_names.size())).add(std::uint8_t{0x12}).add(std::uint8_t{0});
    table.add(symbol.section).add(std::uint64_t{0}).add(std::uint64_t{0});
    symbol_names += symbol.name + '\0';
  }
  std::vector<SmallSection> sections{{"", 0, 0, 0, ""},
                                     {".shstrtab", 3, 0, 0, ""},
                                     {".symtab", 2, 3, 0, table.text},
                                     {".strtab", 3, 0, 0, symbol_names}};
  sections.insert(sections.end(), given.begin(), given.end());
  std::string names;
  std::vector<std::size_t> name_at;
  for (const auto& section : sections) {
    name_at.push_back(names.size());
    names += section.name + '\0';
  }
  sections[1].contents = names;

  std::string body;
  ByteText headers;
  for (std::size_t index = 0; index < sections.size(); ++index) {
    const auto& section = sections[index];
    headers.add(static_cast<std::uint32_t>(name_at[index])).add(section.type).add(std::uint64_t{0});
    headers.add(std::uint64_t{0}).add(64 + body.size()).add(section.contents.size());
    headers.add(section.link).add(section.info).add(std::uint64_t{1}).add(std::uint64_t{0});
    body += section.contents;
  }
  ByteText file;
  file.add(std::string("\x7f"
                       "ELF\x02\x01\x01\x41"))
      .add(static_cast<std::uint8_t>(abi_version))
      .add(std::string(7, '\0'));
  file.add(std::uint16_t{2}).add(machine).add(std::uint32_t{1}).add(std::uint64_t{0}).add(std::uint64_t{0});
  file.add(64 + body.size()).add(flags).add(std::uint16_t{64}).add(std::uint16_t{0}).add(std::uint16_t{0});
  file.add(std::uint16_t{64}).add(static_cast<std::uint16_t>(sections.size())).add(std::uint16_t{1});
  return file.text + body + headers.text;
}

}  // namespace warpipe::test
