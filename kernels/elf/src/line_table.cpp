#include "warpipe/elf/line_table.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "bytes.hpp"

namespace warpipe::elf {
namespace {

// Forms of attributes in the lists of files of version 5, and their meanings.
enum Form : std::uint64_t {
  Data2 = 5,
  Data4 = 6,
  Data8 = 7,
  Text = 8,
  Block = 9,
  Data1 = 11,
  Strp = 14,
  UData = 15,
  Data16 = 30,
  LineStrp = 31
};
enum Content : std::uint64_t { Path = 1, Directory = 2 };
// Opcodes of the program.
enum Standard : std::uint8_t {
  Extended,
  Copy,
  AdvancePc,
  AdvanceLine,
  SetFile,
  SetColumn,
  NegateStatement,
  BasicBlock,
  ConstAddPc,
  FixedAdvancePc
};
/// InlinedCall is ptxas's: the number of the row of the call in its sequence, from 1, or 0 outside of inlined
/// functions.
/// @source rows of `readelf --debug-dump=rawline` of cubins of ptxas 13.0, beside `inlined_at` of their PTX
enum ExtendedOpcode : std::uint8_t { EndSequence = 1, SetAddress = 2, InlinedCall = 0x90 };

// Many files may have the same folder, so a small file could name gigabytes.
constexpr std::uint64_t kMostFiles = 1U << 14U, kLongestPath = 4096;

/// Tells places in the code from numbers in the table.
struct Places {
  std::map<std::uint64_t, Relocation> relocations;  ///< by the place in the table to fill in
  std::map<std::uint64_t, std::uint32_t> sections;  ///< by address, in a linked file
};

Places find_places(const Object& object, std::uint32_t table) {
  Places places;
  for (const auto& one : object.relocations(table)) places.relocations.emplace(one.offset, one);
  for (std::uint32_t index = 0; index < object.sections.size(); ++index) {
    const auto& section = object.sections[index];
    if (section.address != 0 && !section.contents.empty()) places.sections.emplace(section.address, index);
  }
  return places;
}

/// The table of a compilation.
class Unit {
 public:
  Unit(const Object& object, const Places& places, Bytes bytes, LineTable& table)
      : object_(object),
        relocations_(places.relocations),
        sections_(places.sections),
        bytes_(std::move(bytes)),
        table_(table) {}

  /// @return whether its version can be read
  bool read_header() {
    const auto version = bytes_.read<std::uint16_t>();
    if (version < 2 || version > 5) return false;
    if (version == 5) bytes_.take(2);  // sizes of addresses and selectors
    const auto length = offset();
    const auto program = bytes_.at() + length;
    step_ = bytes_.read<std::uint8_t>();
    if (version >= 4) bytes_.take(1);  // operations an instruction
    bytes_.take(1);                    // whether lines are statements
    line_base_ = bytes_.read<std::int8_t>();
    line_range_ = bytes_.read<std::uint8_t>();
    const auto opcodes = bytes_.read<std::uint8_t>();
    operands_ = bytes_.take(opcodes == 0 ? 0 : opcodes - 1U);
    if (line_range_ == 0) return false;
    version == 5 ? read_files_5() : read_files();
    bytes_.go_to(program);
    return true;
  }

  void run(std::uint64_t end) {
    start_sequence();
    while (bytes_.at() < end) {
      const auto opcode = bytes_.read<std::uint8_t>();
      if (opcode > operands_.size()) {
        const int special = opcode - static_cast<int>(operands_.size()) - 1;
        address_ += static_cast<std::uint64_t>(special / line_range_) * step_;
        advance_line(line_base_ + special % line_range_);
        add_row();
      } else {
        run_standard(opcode);
      }
    }
  }

  void set_wide(bool wide) { wide_ = wide; }

 private:
  std::uint64_t offset() { return wide_ ? bytes_.read<std::uint64_t>() : bytes_.read<std::uint32_t>(); }

  std::string path(std::string_view text) const {
    if (text.size() > kLongestPath) refuse("the path of a source file is too long");
    return std::string(text);
  }

  static std::string joined(const std::string& folder, const std::string& name) {
    return folder.empty() || name.starts_with('/') ? name : folder + "/" + name;
  }

  void read_files() {
    std::vector<std::string> folders{""};
    for (auto folder = bytes_.take_string(); !folder.empty(); folder = bytes_.take_string())
      folders.push_back(path(folder));
    first_file_ = next_file() - 1;
    for (auto name = bytes_.take_string(); !name.empty(); name = bytes_.take_string()) {
      const auto folder = bytes_.read_uleb();
      bytes_.read_uleb(), bytes_.read_uleb();  // time and length
      add_file(joined(folder < folders.size() ? folders[folder] : "", path(name)));
    }
  }

  struct Name {
    std::string path;
    std::uint64_t folder = 0;
  };

  void read_files_5() {
    const auto folders = read_names();
    first_file_ = next_file();
    for (const auto& [path, folder] : read_names())
      add_file(joined(folder != 0 && folder < folders.size() ? folders[folder].path : "", path));
  }

  std::vector<Name> read_names() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> format;
    for (auto count = bytes_.read<std::uint8_t>(); count > 0; --count) {
      const auto content = bytes_.read_uleb();
      format.emplace_back(content, bytes_.read_uleb());
    }
    std::vector<Name> names;
    for (auto count = bytes_.read_uleb(); count > 0; --count) {
      if (format.empty() || names.size() >= kMostFiles) refuse("the list of source files is damaged");
      Name name;
      for (const auto& [content, form] : format) read_attribute(content, form, name);
      names.push_back(std::move(name));
    }
    return names;
  }

  void read_attribute(std::uint64_t content, std::uint64_t form, Name& name) {
    switch (form) {
      case Text:
        return set(content, name, bytes_.take_string());
      case LineStrp:
        return set(content, name, string_of(".debug_line_str"));
      case Strp:
        return set(content, name, string_of(".debug_str"));
      case UData:
        return set(content, name, bytes_.read_uleb());
      case Data1:
        return set(content, name, bytes_.read<std::uint8_t>());
      case Data2:
        return set(content, name, bytes_.read<std::uint16_t>());
      case Data4:
        bytes_.take(4);
        return;
      case Data8:
        bytes_.take(8);
        return;
      case Data16:
        bytes_.take(16);
        return;
      case Block:
        bytes_.take(bytes_.read_uleb());
        return;
      default:
        refuse("the list of source files has a form that is not known");
    }
  }
  void set(std::uint64_t content, Name& name, std::string_view text) const {
    if (content == Path) name.path = path(text);
  }
  static void set(std::uint64_t content, Name& name, std::uint64_t number) {
    if (content == Directory) name.folder = number;
  }

  std::string_view string_of(const std::string& section) {
    const auto place = bytes_.at();
    auto at = offset();
    if (const auto found = relocations_.find(place); found != relocations_.end())
      at += static_cast<std::uint64_t>(found->second.addend);
    const auto* const strings = object_.find(section);
    if (strings == nullptr) refuse("the names of source files are in " + section + ", which is missing");
    Bytes bytes(strings->contents, object_.place(*strings));
    bytes.go_to(at);
    return bytes.take_string();
  }

  std::uint32_t next_file() const { return table_.files.empty() ? 1 : table_.files.rbegin()->first + 1; }
  void add_file(std::string name) {
    if (table_.files.size() >= kMostFiles) refuse("the list of source files is damaged");
    table_.files.emplace(next_file(), std::move(name));
  }

  void run_standard(std::uint8_t opcode) {
    switch (opcode) {
      case Extended:
        return run_extended();
      case Copy:
        return add_row();
      case AdvancePc:
        address_ += bytes_.read_uleb() * step_;
        return;
      case AdvanceLine:
        advance_line(bytes_.read_sleb());
        return;
      case SetFile:
        file_ = bytes_.read_uleb();
        return;
      case ConstAddPc:
        address_ += static_cast<std::uint64_t>((255 - static_cast<int>(operands_.size()) - 1) / line_range_) * step_;
        return;
      case FixedAdvancePc:
        address_ += bytes_.read<std::uint16_t>();
        return;
      default:
        for (int count = static_cast<std::uint8_t>(operands_[opcode - 1U]); count > 0; --count) bytes_.read_uleb();
    }
  }

  void run_extended() {
    const auto length = bytes_.read_uleb();
    const auto start = bytes_.at();
    bytes_.take(length);
    const auto end = bytes_.at();
    if (length == 0) return;
    bytes_.go_to(start);
    const auto opcode = bytes_.read<std::uint8_t>();
    if (opcode == SetAddress && length >= 9) set_address();
    if (opcode == InlinedCall) call_ = length > 1 ? bytes_.read_uleb() : 0;
    if (opcode == EndSequence) {
      line_ = 0;
      call_ = 0;
      add_row();
      start_sequence();
    }
    bytes_.go_to(end);
  }

  void set_address() {
    const auto place = bytes_.at();
    address_ = bytes_.read<std::uint64_t>();
    section_ = {};
    if (const auto found = relocations_.find(place); found != relocations_.end()) {
      if (found->second.symbol >= object_.symbols.size()) refuse("a place refers to a symbol that is none");
      const auto& symbol = object_.symbols[found->second.symbol];
      section_ = symbol.section;
      address_ += symbol.value + static_cast<std::uint64_t>(found->second.addend);
      return;
    }
    auto found = sections_.upper_bound(address_);
    if (found == sections_.begin()) return;
    const auto& [start, index] = *--found;
    if (address_ - start >= object_.sections[index].size) return;
    section_ = index;
    address_ -= start;
  }

  /// Around its ends in a damaged file.
  void advance_line(std::int64_t by) {
    line_ = static_cast<std::int64_t>(static_cast<std::uint64_t>(line_) + static_cast<std::uint64_t>(by));
  }

  void start_sequence() {
    address_ = 0;
    line_ = 1;
    file_ = 1;
    call_ = 0;
    rows_.clear();
    section_ = {};
  }

  /// For code from another file, such as a header of CUDA's, the line of its inlining says more.
  void add_row() {
    LinePlace place;
    if (line_ > 0 && line_ <= UINT32_MAX)
      place = {first_file_ + static_cast<std::uint32_t>(file_), static_cast<std::uint32_t>(line_)};
    if (!table_.files.contains(place.file)) place = {};
    if (call_ > 0 && call_ <= rows_.size() && rows_[call_ - 1].file != place.file) place = rows_[call_ - 1];
    rows_.push_back(place);
    if (!section_) return;
    table_.places[*section_][address_] = place;
  }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError(Diagnostic{bytes_.place(), "the file is damaged: " + problem, "", "make the file again"});
  }

  const Object& object_;
  const std::map<std::uint64_t, Relocation>& relocations_;
  const std::map<std::uint64_t, std::uint32_t>& sections_;
  Bytes bytes_;
  LineTable& table_;
  bool wide_ = false;
  std::uint64_t step_ = 1;
  int line_base_ = 0, line_range_ = 1;
  std::string_view operands_;     ///< how many each standard opcode has
  std::uint32_t first_file_ = 0;  ///< key of the file with number 0
  std::uint64_t address_ = 0, file_ = 1;
  std::uint64_t call_ = 0;       ///< of the function that is inlined here
  std::vector<LinePlace> rows_;  ///< of the sequence so far
  std::int64_t line_ = 1;
  std::optional<std::uint32_t> section_;
};

}  // namespace

LineTable read_line_table(const Object& object) {
  LineTable table;
  const auto* const section = object.find(".debug_line");
  if (section == nullptr) return table;
  const auto places = find_places(object, static_cast<std::uint32_t>(section - object.sections.data()));
  Bytes bytes(section->contents, object.place(*section));
  while (bytes.size() - bytes.at() > 6) {
    std::uint64_t length = bytes.read<std::uint32_t>();
    const bool wide = length == UINT32_MAX;
    if (wide) length = bytes.read<std::uint64_t>();
    const auto start = bytes.at();
    bytes.take(length);
    const auto end = bytes.at();
    Bytes own(section->contents.substr(0, end), object.place(*section));
    own.go_to(start);
    Unit unit(object, places, own, table);
    unit.set_wide(wide);
    if (unit.read_header()) unit.run(end);
  }
  return table;
}

}  // namespace warpipe::elf
