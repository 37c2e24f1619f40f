#include "warpipe/elf/object.hpp"

#include <fmt/format.h>

#include "bytes.hpp"

namespace warpipe::elf {
namespace {

constexpr std::string_view kMagic{
    "\x7f"
    "ELF"};
constexpr std::uint64_t kSectionBytesPerByte = 4;
constexpr std::uint32_t kSymbolTable = 2, kRela = 4, kNoBits = 8, kRel = 9;

[[noreturn]] void refuse(const std::string& file, const std::string& problem, const std::string& found = {}) {
  throw InputError(Diagnostic{file, problem, found, "make the file again"});
}

/// Where the tables of a file are.
struct Header {
  std::uint64_t sections_at = 0;
  std::uint16_t section_bytes = 0, sections = 0, names = 0;
};

Header read_header(Bytes& bytes, Object& object) {
  if (bytes.size() < 64 || bytes.take(kMagic.size()) != kMagic)
    refuse(object.file, "this is no ELF file, or it is cut off");
  const auto bits = bytes.read<std::uint8_t>(), order = bytes.read<std::uint8_t>();
  if (bits != 2 || order != 1) refuse(object.file, "only ELF files of 64 bits with the low bytes first are read");
  bytes.go_to(7);
  object.os_abi = bytes.read<std::uint8_t>();
  object.abi_version = bytes.read<std::uint8_t>();
  bytes.go_to(16);
  object.type = bytes.read<std::uint16_t>();
  object.machine = bytes.read<std::uint16_t>();
  bytes.go_to(40);
  Header header;
  header.sections_at = bytes.read<std::uint64_t>();
  object.flags = bytes.read<std::uint32_t>();
  bytes.go_to(58);
  header.section_bytes = bytes.read<std::uint16_t>();
  header.sections = bytes.read<std::uint16_t>();
  header.names = bytes.read<std::uint16_t>();
  if (header.sections == 0 && header.sections_at != 0)
    refuse(object.file, "files of more than 65279 sections are not read");
  if (header.sections != 0 && header.section_bytes < 64)
    refuse(object.file, "the table of sections is damaged", fmt::format("{} bytes an entry", header.section_bytes));
  return header;
}

/// A section, whose name is still a number: its place among the names.
std::pair<Section, std::uint32_t> read_section(Bytes& table, std::string_view file_bytes, const std::string& file) {
  Section section;
  const auto name = table.read<std::uint32_t>();
  section.type = table.read<std::uint32_t>();
  section.flags = table.read<std::uint64_t>();
  section.address = table.read<std::uint64_t>();
  const auto offset = table.read<std::uint64_t>();
  section.size = table.read<std::uint64_t>();
  section.link = table.read<std::uint32_t>();
  section.info = table.read<std::uint32_t>();
  if (section.type == 0 || section.type == kNoBits) return {section, name};
  if (offset > file_bytes.size() || section.size > file_bytes.size() - offset)
    refuse(file, "the file is damaged: a section leads outside of it",
           fmt::format("{} bytes at {} of {}", section.size, offset, file_bytes.size()));
  section.contents = file_bytes.substr(offset, section.size);
  return {section, name};
}

/// Names of sections and symbols. Many may end in the same bytes, so a small file could name gigabytes.
class Names {
 public:
  Names(const Object& object, std::uint64_t file_bytes) : object_(object), left_(kPerByte * file_bytes) {}

  std::string take(std::uint32_t section, std::uint32_t at) {
    if (section >= object_.sections.size())
      refuse(object_.file, "the file is damaged: names lie in a section that is none");
    Bytes names(object_.sections[section].contents, object_.file + ": names");
    names.go_to(at);
    const auto name = names.take_string();
    if (name.size() > left_) refuse(object_.file, "the file is damaged: its names share too many bytes");
    left_ -= name.size();
    return std::string(name);
  }

 private:
  static constexpr std::uint64_t kPerByte = 8;  ///< linkers share ends of names, but few
  const Object& object_;
  std::uint64_t left_;
};

void read_symbols(const Section& table, Names& names, Object& object) {
  if (!object.symbols.empty()) refuse(object.place(table), "the file has several tables of symbols");
  Bytes bytes(table.contents, object.place(table));
  while (bytes.size() - bytes.at() >= 24) {
    Symbol symbol;
    const auto name = bytes.read<std::uint32_t>();
    const auto info = bytes.read<std::uint8_t>();
    bytes.read<std::uint8_t>();
    symbol.type = info & 0xfU;
    symbol.binding = static_cast<std::uint8_t>(info >> 4U);
    symbol.section = bytes.read<std::uint16_t>();
    symbol.value = bytes.read<std::uint64_t>();
    symbol.size = bytes.read<std::uint64_t>();
    symbol.name = names.take(table.link, name);
    object.symbols.push_back(std::move(symbol));
  }
}

}  // namespace

const Section* Object::find(std::string_view name) const {
  const auto found = numbers.find(name);
  return found == numbers.end() ? nullptr : &sections[found->second];
}

std::vector<Relocation> Object::relocations(std::uint32_t section) const {
  std::vector<Relocation> found;
  for (const auto& table : sections) {
    if ((table.type != kRela && table.type != kRel) || table.info != section) continue;
    const std::uint64_t bytes_each = table.type == kRela ? 24 : 16;
    Bytes bytes(table.contents, place(table));
    while (bytes.size() - bytes.at() >= bytes_each) {
      Relocation one;
      one.offset = bytes.read<std::uint64_t>();
      one.type = bytes.read<std::uint32_t>();
      one.symbol = bytes.read<std::uint32_t>();
      if (table.type == kRela) one.addend = bytes.read<std::int64_t>();
      found.push_back(one);
    }
  }
  return found;
}

namespace {

/// The sections, and where their names are.
std::vector<std::uint32_t> read_sections(const Header& header, Bytes& whole, std::string_view bytes, Object& object) {
  std::vector<std::uint32_t> names;
  // The standard forbids sections to share bytes, but nvcc lets some do; the work of reading them stays linear.
  std::uint64_t left = kSectionBytesPerByte * bytes.size();
  for (std::uint64_t index = 0; index < header.sections; ++index) {
    whole.go_to(header.sections_at);
    whole.take(index * header.section_bytes);
    auto [section, name] = read_section(whole, bytes, object.file);
    if (section.contents.size() > left) refuse(object.file, "the file is damaged: its sections share too many bytes");
    left -= section.contents.size();
    object.sections.push_back(std::move(section));
    names.push_back(name);
  }
  return names;
}

}  // namespace

Object read_object(std::string_view bytes, const std::string& file) {
  Object object;
  object.file = file;
  Bytes whole(bytes, file);
  const auto header = read_header(whole, object);
  const auto names_at = read_sections(header, whole, bytes, object);
  Names names(object, bytes.size());
  for (std::size_t index = 0; index < names_at.size(); ++index)
    if (names_at[index] != 0) object.sections[index].name = names.take(header.names, names_at[index]);
  for (std::uint32_t index = 0; index < object.sections.size(); ++index)
    object.numbers.emplace(object.sections[index].name, index);
  for (const auto& section : object.sections)
    if (section.type == kSymbolTable) read_symbols(section, names, object);
  return object;
}

}  // namespace warpipe::elf
