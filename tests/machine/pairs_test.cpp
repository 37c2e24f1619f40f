// Whole numbers of 16 bits in pairs (compute capability 9.0), and numbers that stop at 0.
#include <gmock/gmock.h>

#include "loaded.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

/// The result %r3 of an instruction with the numbers %r1 and %r2.
unsigned result_of(const std::string& instruction, unsigned one, unsigned other) {
  const auto module = ptx::read_ptx(R"(.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u32 one, .param .u32 other, .param .u64 out)
{ .reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u32 %r1, [one]; ld.param.u32 %r2, [other]; ld.param.u64 %rd1, [out];
)" + instruction + " st.global.u32 [%rd1], %r3; ret; }",
                                    "k.ptx");
  machine::Memory memory;
  machine::Variables variables(memory);
  auto* const out = reinterpret_cast<unsigned*>(memory.allocate(sizeof(unsigned)));
  machine::Launch launch;
  launch.arguments = arguments(one, other, out);
  machine::Machine(ptx::executable_program(module, "k"), variables).run(launch, memory, {});
  return *out;
}

TEST(Pairs, AddWithoutACarryBetweenThem) {
  EXPECT_EQ(result_of("add.u16x2 %r3, %r1, %r2;", 0x0001ffff, 0x00010003), 0x00020002);
  EXPECT_EQ(result_of("add.s16x2 %r3, %r1, %r2;", 0x8000ffff, 0x8000ffff), 0x0000fffe);
}

TEST(Pairs, CompareByTheirSign) {
  EXPECT_EQ(result_of("max.s16x2 %r3, %r1, %r2;", 0xffff0005, 0x0001fff0), 0x00010005);
  EXPECT_EQ(result_of("max.u16x2 %r3, %r1, %r2;", 0xffff0005, 0x0001fff0), 0xfffffff0);
  EXPECT_EQ(result_of("min.s16x2 %r3, %r1, %r2;", 0xffff0005, 0x0001fff0), 0xfffffff0);
  EXPECT_EQ(result_of("min.u16x2 %r3, %r1, %r2;", 0xffff0005, 0x0001fff0), 0x00010005);
}

TEST(Pairs, StopAtZero) {
  EXPECT_EQ(result_of("max.s16x2.relu %r3, %r1, %r2;", 0xffff0005, 0xfffefff0), 0x00000005);
  EXPECT_EQ(result_of("min.s16x2.relu %r3, %r1, %r2;", 0x00070005, 0x0006fff0), 0x00060000);
}

TEST(WholeNumbers, StopAtZero) {
  EXPECT_EQ(result_of("max.s32.relu %r3, %r1, %r2;", 0xfffffff0, 0xfffffff8), 0);
  EXPECT_EQ(result_of("min.s32.relu %r3, %r1, %r2;", 9, 5), 5);
  EXPECT_EQ(result_of("min.s32.relu %r3, %r1, %r2;", 9, 0xfffffff8), 0);
}

}  // namespace
}  // namespace warpipe::test
