// Addresses of a machine's memory and of an import, where each pointer has an array of its own.
#include "lanes/recorded_memory.hpp"

#include <gmock/gmock.h>

#include "lanes/load_index.hpp"

namespace warpipe::test {
namespace {

using isa::Space;

constexpr std::uint64_t kArrays = std::uint64_t{1}
                                  << isa::kArrayShift;  // bytes from one array of an import to the next
constexpr std::uint64_t kRange = 0x7000'0000, kOther = 0x9000'0000;

isa::Program program() {
  isa::Program made;
  made.parameters.resize(2);
  made.regions.resize(1);
  made.regions.front().name = "table";
  made.regions.front().space = Space::Global;
  made.regions.front().element = {isa::Type::Kind::Unsigned, 32};
  made.regions.front().elements = 16;
  return made;
}

isa::Argument pointer(std::uint64_t import, std::uint64_t machine) {
  isa::Argument made;
  made.pointer = true;
  made.bits = import;
  made.passed = machine;
  return made;
}

isa::RecordedLoads ranges() {
  isa::RecordedLoads made;
  made.memory = {{kRange, kRange + 0x1000}, {kOther, kOther + 0x100}};
  made.variables = {{"table", kRange + 0x900}};
  return made;
}

/// Two pointers and a variable lead into a range of the machine's memory, nothing into another range.
struct Memory {
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// There and back again.
  void expect_pair(std::uint64_t machine, std::uint64_t import) const {
    EXPECT_EQ(translation.imported(machine), import);
    EXPECT_EQ(translation.recorded(Space::Global, import), machine);
  }

  const isa::Program of = program();
  const isa::Launch launch{};
  const isa::RecordedLoads recorded = ranges();
  const std::vector<isa::Argument> arguments{pointer(kArrays, kRange + 0x800), pointer(2 * kArrays, kRange + 0x100)};
  const isa::MemoryLayout layout{of, launch, arguments};
  const isa::RecordedMemory translation{recorded, of, arguments, layout};
};

TEST(RecordedMemory, HasAnArrayForEachPointerAndVariable) {
  const Memory all;
  all.expect_pair(kRange + 0x800, kArrays);
  all.expect_pair(kRange + 0x800 + 24, kArrays + 24);
  all.expect_pair(kRange + 0x100 + 24, 2 * kArrays + 24);
  all.expect_pair(kRange + 0x900 + 8, all.layout.address_of(0) + 8);
}

TEST(RecordedMemory, HasAnArrayForARangeThatNoPointerLeadsTo) {
  const Memory all;
  const auto& memory = all.translation;
  all.expect_pair(kOther + 0x20, memory.address_of(1) + 0x20);
  all.expect_pair(kOther + 0x100, memory.address_of(1) + 0x100);  // just behind the range: the end of a loop
  // In front of the first pointer into the range.
  all.expect_pair(kRange + 0x10, memory.address_of(0) + 0x10);
  EXPECT_EQ(memory.range_at(memory.address_of(1) + 0x20), 1U);
  EXPECT_EQ(memory.bytes_of(1), 0x100);
  EXPECT_FALSE(memory.range_at(memory.address_of(2)));
}

TEST(RecordedMemory, LeavesNumbersThatAreNoAddresses) {
  const Memory all;
  for (const std::uint64_t number : {std::uint64_t{5}, kRange - 1, kOther - 1, kOther + 0x101})
    EXPECT_EQ(all.translation.imported(number), number);
  EXPECT_FALSE(all.translation.recorded(Space::Local, kArrays));
}

}  // namespace
}  // namespace warpipe::test
