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

// 1 is 0x3c00 and 0x3f80 in the two formats; 0x7e00 and 0x7fc0 are no numbers.
TEST(Halves, AreMarkedWhereAComparisonHolds) {
  EXPECT_EQ(result_of("set.eq.f16x2.f16x2 %r3, %r1, %r2;", 0x3c004000, 0x3c003c00), 0x3c000000);
  EXPECT_EQ(result_of("set.lt.f16x2.f16x2 %r3, %r1, %r2;", 0xbc003c00, 0x3c003c00), 0x3c000000);
  EXPECT_EQ(result_of("set.ge.f16x2.f16x2 %r3, %r1, %r2;", 0x7e003c00, 0x3c003c00), 0x00003c00);
  EXPECT_EQ(result_of("set.geu.f16x2.f16x2 %r3, %r1, %r2;", 0x7e003c00, 0x3c003c00), 0x3c003c00);
  EXPECT_EQ(result_of("set.ne.bf16x2.bf16x2 %r3, %r1, %r2;", 0x3f807fc0, 0x40003f80), 0x3f800000);
  const std::string alone = "{ .reg .b16 %h<4>; mov.b32 {%h1, %h0}, %r1; mov.b32 {%h2, %h0}, %r2;";
  EXPECT_EQ(result_of(alone + "set.eq.f16.f16 %h3, %h1, %h2; cvt.u32.u16 %r3, %h3; }", 0x80000000, 0x00008000), 0x3c00);
  EXPECT_EQ(result_of(alone + "set.eq.u32.f16 %r3, %h1, %h2; }", 0x80000000, 0x00008000), 0xffffffff);
}

TEST(WholeNumbers, StopAtZero) {
  EXPECT_EQ(result_of("max.s32.relu %r3, %r1, %r2;", 0xfffffff0, 0xfffffff8), 0);
  EXPECT_EQ(result_of("min.s32.relu %r3, %r1, %r2;", 9, 5), 5);
  EXPECT_EQ(result_of("min.s32.relu %r3, %r1, %r2;", 9, 0xfffffff8), 0);
}

}  // namespace
}  // namespace warpipe::test
