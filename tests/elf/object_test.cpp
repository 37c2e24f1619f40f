#include "warpipe/elf/object.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_object.hpp"
#include "warpipe/elf/amd_descriptor.hpp"
#include "warpipe/elf/amd_metadata.hpp"
#include "warpipe/elf/cubin.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::test {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::uint32_t kCode = 16, kInfo = 0x70000000;

std::string info_of_kernel() {
  const auto parameter = [](std::uint16_t number, std::uint16_t offset, std::uint32_t bytes) {
    return attribute(0x17, ByteText().add(std::uint32_t{0}).add(number).add(offset).add(bytes << 18U | 0x1f000U).text);
  };
  const auto bank = ByteText().add(std::uint32_t{1}).add(std::uint16_t{0x160}).add(std::uint16_t{16}).text;
  const auto sizes = [](std::uint32_t x, std::uint32_t y) {
    return ByteText().add(x).add(y).add(std::uint32_t{1}).text;
  };
  return parameter(1, 8, 8) + parameter(0, 0, 4) + attribute(0x0a, bank) + attribute(0x05, sizes(256, 1)) +
         attribute(0x10, sizes(16, 8)) + attribute(0x99, "later");
}

std::string cubin(char abi_version = 8, std::uint32_t flags = 0x9005004) {
  const auto registers = attribute(0x2f, ByteText().add(std::uint32_t{1}).add(std::uint32_t{42}).text);
  return small_object(190, flags,
                      {{".text.add", 1, 2, 7U << 24U, std::string(kCode, 'i')},
                       {".nv.info", kInfo, 2, 0, registers},
                       {".nv.info.add", kInfo, 2, 4, info_of_kernel()},
                       {".nv.constant0.add", 1, 0, 4, std::string(0x170, '\0')},
                       {".nv.constant0.other", 1, 0, 4, "no"},
                       {".nv.constant3", 1, 0, 0, "weights"},
                       {".nv.shared.add", 1, 0, 4, std::string(512, '\0')},
                       {".text.called", 1, 2, 0, std::string(kCode, 'c')}},
                      {{"add", 4}}, abi_version);
}

// Numbers of attributes and their layouts as in nvcc 13's files.
TEST(Cubin, TellsWhatAKernelNeeds) {
  const auto bytes = cubin();
  const auto read = elf::read_cubin(bytes, "add.cubin");
  EXPECT_EQ(read.architecture, 80);
  ASSERT_THAT(read.kernels, SizeIs(1)) << "a function that has no attributes is none";
  const auto& kernel = read.kernels[0];
  EXPECT_EQ(kernel.name, "add");
  EXPECT_EQ(kernel.code, std::string(kCode, 'i'));
  EXPECT_EQ(kernel.registers, 42);
  EXPECT_EQ(kernel.shared_bytes, 512);
  EXPECT_EQ(kernel.parameters_at, 0x160);
  EXPECT_THAT(kernel.parameters, ElementsAre(FieldsAre(0, 4), FieldsAre(8, 8)));
  EXPECT_THAT(kernel.constants, SizeIs(2));
  EXPECT_EQ(kernel.constants.at(3).contents, "weights");
  EXPECT_THAT(kernel.most_block.value(), ElementsAre(256, 1, 1));
  EXPECT_THAT(kernel.required_block.value(), ElementsAre(16, 8, 1));
}

TEST(Cubin, SaysItsArchitectureInTheWayOfItsAbi) {
  const auto architecture = [](const std::string& bytes) { return elf::read_cubin(bytes, "a").architecture; };
  EXPECT_EQ(architecture(cubin(8, 0x9006402)), 100);
  EXPECT_EQ(architecture(cubin(7, 0x00560556)), 86);
}

TEST(Cubin, OfAnotherMachineIsRefused) {
  const auto bytes = small_object(62, 0, {});
  try {
    elf::read_cubin(bytes, "host.o");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("host.o: this is no machine code of NVIDIA; machine 62"));
  }
}

// Wherever it is cut off, and whichever byte is another: an error of the file, or a cubin, and nothing else.
TEST(Cubin, ThatIsDamagedIsAnErrorOfTheFile) {
  const auto whole = cubin();
  const auto is_read = [](const std::string& bytes) {
    try {
      elf::read_cubin(bytes, "damaged.cubin");
      return true;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("damaged.cubin"));
      return false;
    }
  };
  for (std::size_t size = 0; size + 16 < whole.size(); size += 3) EXPECT_FALSE(is_read(whole.substr(0, size))) << size;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char value : {'\0', '\x7f', '\xff'}) {
      auto bytes = whole;
      bytes[at] = value;
      is_read(bytes);
    }
}

std::string problem_of(const std::string& bytes) {
  try {
    elf::read_cubin(bytes, "made.cubin");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

// Small files that would become large in memory: 100 kB with 100 MB of names, tables of symbols read again and again, a
// parameter with a large count.
TEST(Cubin, DoesNotGrowInMemory) {
  const std::vector<SmallSymbol> symbols(4000, {std::string(12, 'n'), 4});
  auto one_name = small_object(190, 0, {{".text.k", 1, 0, 0, "code"}}, symbols);
  const auto names = one_name.find("nnnn");
  for (std::size_t at = names; at < names + 4000 * 13; ++at)
    if (one_name[at] == '\0') one_name[at] = 'n';
  one_name[names + 4000 * 13 - 1] = '\0';
  EXPECT_THAT(problem_of(one_name), HasSubstr("names share too many bytes"));
  const SmallSection table{".symtab2", 2, 3, 0, std::string(48, '\0')};
  EXPECT_THAT(problem_of(small_object(190, 0, {table}, {{"k", 1}})), HasSubstr("several tables of symbols"));
  const auto parameter = ByteText().add(std::uint32_t{0}).add(std::uint16_t{9}).add(std::uint16_t{0}).add(0U).text;
  EXPECT_THAT(problem_of(small_object(
                  190, 0, {{".text.k", 1, 0, 0, "code"}, {".nv.info.k", kInfo, 0, 0, attribute(0x17, parameter)}})),
              HasSubstr("a parameter has the number 9"));
}

// Eight sections of the same 4 kB in a file of 5 kB; two, as nvcc 13 lets some share bytes, are read.
TEST(Cubin, WhoseSectionsShareManyBytesIsRefused) {
  const auto with_copies = [](std::size_t copies) {
    std::vector<SmallSection> sections{{".text.a", 1, 0, 0, std::string(4096, 'a')}};
    for (std::size_t index = 0; index < copies; ++index) sections.push_back({".text.b", 1, 0, 0, ""});
    auto bytes = small_object(190, 0, sections);
    const auto place_of = [&](std::size_t from_last) { return bytes.size() - 64 * (from_last + 1) + 24; };
    const auto place = bytes.substr(place_of(copies), 16);
    for (std::size_t index = 0; index < copies; ++index) bytes.replace(place_of(index), 16, place);
    return bytes;
  };
  EXPECT_EQ(problem_of(with_copies(1)), "");
  EXPECT_THAT(problem_of(with_copies(7)), HasSubstr("sections share too many bytes"));
}

std::string code_object(const std::string& message) {
  const auto note =
      ByteText().add(std::uint32_t{7}).add(static_cast<std::uint32_t>(message.size())).add(std::uint32_t{32});
  return small_object(224, 0x54c, {{".note", 7, 0, 0, note.text + std::string("AMDGPU\0\0", 8) + message}});
}

TEST(AmdMetadata, IsThatOfTheNote) {
  const nlohmann::json metadata{{"amdhsa.target", "amdgcn-amd-amdhsa--gfx90a:xnack-"},
                                {"amdhsa.kernels", {{{".name", "add"}, {".vgpr_count", 12}}}}};
  const auto message = nlohmann::json::to_msgpack(metadata);
  const auto bytes = code_object({message.begin(), message.end()});
  const auto object = elf::read_object(bytes, "add.hsaco");
  EXPECT_EQ(elf::read_amd_metadata(object), metadata);
  EXPECT_EQ(elf::amd_target(object), "gfx90a");
}

TEST(AmdMetadata, TargetIsThatOfTheFlagsWhereThereIsNone) {
  const auto target_of = [](std::uint32_t flags) {
    const auto bytes = small_object(224, flags, {});
    return elf::amd_target(elf::read_object(bytes, "k.hsaco"));
  };
  EXPECT_EQ(target_of(0x54c), "gfx942");  // 0x500: other features
  EXPECT_EQ(target_of(0x2a), "gfx803");
  EXPECT_EQ(target_of(0x02), "");
}

TEST(AmdDescriptor, IsThatOfTheSymbol) {
  // Six user registers, groups along x and z, three axes of threads; pointers to the packet and the arguments; three
  // words of the arguments, from the second on, come in registers.
  const auto text = ByteText()
                        .add(std::uint32_t{1024})
                        .add(std::string(48, '\0'))
                        .add(std::uint32_t{6 << 1 | 1 << 7 | 1 << 9 | 2 << 11})
                        .add(std::uint16_t{1 << 1 | 1 << 3})
                        .add(std::uint16_t{3 | 2 << 7})
                        .add(std::uint32_t{0})
                        .text;
  const auto bytes = small_object(224, 0x54c, {{".rodata", 1, 0, 0, text}}, {{"k", 4}, {"k.kd", 4}});
  const auto found = elf::read_amd_descriptors(elf::read_object(bytes, "k.hsaco"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kernel, "k");
  std::map<std::string, std::int64_t> set;
  for (const auto& [name, value] : found[0].directives)
    if (value != 0) set.emplace(name, value);
  const std::map<std::string, std::int64_t> expected{
      {"group_segment_fixed_size", 1024},     {"user_sgpr_count", 6},
      {"system_sgpr_workgroup_id_x", 1},      {"system_sgpr_workgroup_id_z", 1},
      {"system_vgpr_workitem_id", 2},         {"user_sgpr_dispatch_ptr", 1},
      {"user_sgpr_kernarg_segment_ptr", 1},   {"user_sgpr_kernarg_preload_length", 3},
      {"user_sgpr_kernarg_preload_offset", 2}};
  EXPECT_EQ(set, expected);
  const auto cut = small_object(224, 0x54c, {{".rodata", 1, 0, 0, text.substr(1)}}, {{"k.kd", 4}});
  EXPECT_THROW(elf::read_amd_descriptors(elf::read_object(cut, "k.hsaco")), InputError);
}

TEST(AmdMetadata, ThatIsNestedWithoutEndIsRefused) {
  const auto bytes = code_object(std::string(1 << 20, '\x91'));
  EXPECT_THROW(elf::read_amd_metadata(elf::read_object(bytes, "deep.hsaco")), InputError);
}

}  // namespace
}  // namespace warpipe::test
