#include "warpipe/elf/line_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_object.hpp"

namespace warpipe::test {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;
using testing::Pair;

/// The part of a unit behind its length: version, length of the header, the header, the program.
std::string unit(std::uint16_t version, const std::string& before, const std::string& header,
                 const std::string& program) {
  const auto text = ByteText().add(version).add(before).add(static_cast<std::uint32_t>(header.size())).add(header).text;
  return ByteText().add(static_cast<std::uint32_t>(text.size() + program.size())).text + text + program;
}

/// Sets the address, filled in by a relocation; then line 7 at 0, line 9 at 0x10 by a special opcode, end at 0x20.
/// Lines begin at 1; a step is a byte; special opcodes 10 + (line + 3) + 14 * address.
std::string program() {
  ByteText text;
  text.add(std::string("\0\x09\x02", 3)).add(std::uint64_t{0});  // the address
  text.add(std::string("\x03\x06\x01", 3));                      // line 7, a row
  text.add(std::string("\x02\x0f", 2));                          // 15 bytes on
  text.add(static_cast<std::uint8_t>(10 + (2 + 3) + 14));        // a byte more, two lines on, a row
  return text.add(std::string("\x02\x10\0\x01\x01", 5)).text;    // 16 bytes on, the end
}

const std::string kOperands{"\0\1\1\1\1\0\0\0\1", 9};

elf::LineTable read(const std::string& line_section, std::uint64_t address_at, const std::string& strings = {}) {
  const auto relocation = ByteText().add(address_at).add(std::uint32_t{2}).add(std::uint32_t{1}).text;
  const auto bytes = small_object(190, 0,
                                  {{".text.k", 1, 0, 0, std::string(32, 'i')},
                                   {".debug_line", 1, 0, 0, line_section},
                                   {".rel.debug_line", 9, 2, 5, relocation},
                                   {".debug_line_str", 1, 0, 0, strings}},
                                  {{"k", 4}});
  return elf::read_line_table(elf::read_object(bytes, "k.cubin"));
}

void expect_the_lines(const elf::LineTable& table, std::uint32_t file) {
  EXPECT_THAT(table.places, ElementsAre(Pair(4, ElementsAre(Pair(0, FieldsAre(file, 7)), Pair(0x10, FieldsAre(file, 9)),
                                                            Pair(0x20, FieldsAre(0, 0))))));
}

TEST(LineTable, OfVersion2IsRead) {
  ByteText header;
  header.add(std::string("\x01\x01\xfd\x0e\x0a", 5)).add(kOperands);
  header.add(std::string("src\0\0", 5)).add(std::string("k.cu\0\1\0\0/abs/other.h\0\0\0\0\0", 25));
  const auto text = unit(2, "", header.text, program());
  const auto table = read(text, text.size() - program().size() + 3);
  EXPECT_THAT(table.files, ElementsAre(Pair(1, "src/k.cu"), Pair(2, "/abs/other.h")));
  expect_the_lines(table, 1);
}

// Row 1 of the code is line 7 of the file; then a call from there is inlined: line 84 of the header, and further lines
// of the file itself, where a function of the file is inlined, stay.
TEST(LineTable, CodeOfAHeaderIsAtTheLineOfItsCall) {
  ByteText header;
  header.add(std::string("\x01\x01\xfd\x0e\x0a", 5)).add(kOperands);
  header.add(std::string("\0", 1)).add(std::string("k.cu\0\0\0\0/cuda/atomic.hpp\0\0\0\0\0", 29));
  ByteText rows;
  rows.add(std::string("\0\x09\x02", 3)).add(std::uint64_t{0});               // the address
  rows.add(std::string("\x03\x06\x01", 3));                                   // line 7, a row
  rows.add(std::string("\x04\x02\0\x03\x90\x01\0", 7));                       // file 2, called at row 1
  rows.add(std::string("\x03\xcd\0\x02\x10\x01", 6));                         // 77 lines on, 16 bytes on, a row
  rows.add(std::string("\x04\x01\0\x03\x90\x01\0\x03\x41\x02\x08\x01", 12));  // file 1, line 21, 8 bytes on, a row
  rows.add(std::string("\x02\x08\0\x01\x01", 5));                             // 8 bytes on, the end
  const auto text = unit(2, "", header.text, rows.text);
  const auto table = read(text, text.size() - rows.text.size() + 3);
  EXPECT_THAT(table.places,
              ElementsAre(Pair(4, ElementsAre(Pair(0, FieldsAre(1, 7)), Pair(0x10, FieldsAre(1, 7)),
                                              Pair(0x18, FieldsAre(1, 21)), Pair(0x20, FieldsAre(0, 0))))));
}

TEST(LineTable, OfVersion5IsRead) {
  ByteText header;
  header.add(std::string("\x01\x01\x01\xfd\x0e\x0a", 6)).add(kOperands);
  header.add(std::string("\x01\x01\x1f\x02", 4))
      .add(std::uint32_t{0})
      .add(std::uint32_t{5});                                      // folders, by their place
  header.add(std::string("\x03\x01\x08\x02\x0b\x05\x1e\x02", 8));  // files: name, folder, checksum
  header.add(std::string("main.cu\0\0", 9)).add(std::string(16, 'm'));
  header.add(std::string("k.cu\0\1", 6)).add(std::string(16, 'k'));
  const auto text = unit(5, std::string("\x08\0", 2), header.text, program());
  const auto table = read(text, text.size() - program().size() + 3, std::string("here\0src\0", 9));
  EXPECT_THAT(table.files, ElementsAre(Pair(1, "main.cu"), Pair(2, "src/k.cu")));
  expect_the_lines(table, 2);
}

// DWARF 5, 6.2.4.1: the forms allowed for the place of a folder, a time and a size.
TEST(LineTable, OfVersion5HasNumbersOfEveryForm) {
  struct Forms {
    std::string folder, time, size;  ///< the forms
    std::string zero, one, others;   ///< a folder; a time and a size
  };
  const std::string twelve(12, 't');
  const Forms all[] = {{"\x0b", "\x06", "\x07", std::string(1, '\0'), "\1", twelve},
                       {"\x0f", "\x07", "\x06", std::string(1, '\0'), "\1", twelve},
                       {"\x05", "\x09", "\x0f", std::string(2, '\0'), std::string("\1\0", 2), "\x03ttt\x85\1"}};
  for (const auto& [folder, time, size, zero, one, others] : all) {
    ByteText header;
    header.add(std::string("\x01\x01\x01\xfd\x0e\x0a", 6)).add(kOperands);
    header.add(std::string("\x01\x01\x08\x02here\0src\0", 13));
    header.add("\x04\x01\x08\x02" + folder + "\x03" + time + "\x04" + size + "\x02");
    header.add(std::string("main.cu\0", 8) + zero + others).add(std::string("k.cu\0", 5) + one + others);
    const auto text = unit(5, std::string("\x08\0", 2), header.text, program());
    const auto table = read(text, text.size() - program().size() + 3);
    EXPECT_THAT(table.files, ElementsAre(Pair(1, "main.cu"), Pair(2, "src/k.cu")));
    expect_the_lines(table, 2);
  }
}

TEST(LineTable, OfAnotherVersionIsEmpty) { EXPECT_THAT(read(unit(6, "", "", ""), 0).places, testing::IsEmpty()); }

}  // namespace
}  // namespace warpipe::test
