// Whole numbers of 16 bits in pairs (compute capability 9.0), and numbers that stop at 0.
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <string>
#include <tuple>

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
{ .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u32 %r1, [one]; ld.param.u32 %r2, [other]; ld.param.u64 %rd1, [out];
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

/// The number of a byte without its sign, by the definition of its layout.
double number_of(unsigned byte, int fraction) {
  const int bias = fraction == 3 ? 7 : 15, exponent = static_cast<int>(byte >> fraction);
  const double digits = static_cast<double>(byte & ((1U << fraction) - 1)) / (1 << fraction);
  return exponent == 0 ? std::ldexp(digits, 1 - bias) : std::ldexp(1 + digits, exponent - bias);
}

// Each number, a little less and a little more than half the way to the next, and half the way: to the even byte.
TEST(Bytes, AreRoundedToTheNearestOfTheirLayout) {
  for (const auto& [layout, fraction, largest] : {std::tuple{"e4m3x2", 3, 0x7eU}, std::tuple{"e5m2x2", 2, 0x7bU}}) {
    const auto convert = [&, name = std::string(layout)](double upper, double lower) {
      return result_of("{ .reg .b16 %h; .reg .f32 %f<3>; mov.b32 %f1, %r1; mov.b32 %f2, %r2; cvt.rn.satfinite." + name +
                           ".f32 %h, %f1, %f2; cvt.u32.u16 %r3, %h; }",
                       std::bit_cast<unsigned>(static_cast<float>(upper)),
                       std::bit_cast<unsigned>(static_cast<float>(lower)));
    };
    for (unsigned byte = 0; byte < largest; ++byte) {
      const double here = number_of(byte, fraction), next = number_of(byte + 1, fraction), middle = (here + next) / 2;
      EXPECT_EQ(convert(here, -here), byte << 8 | byte | 0x80) << byte;
      EXPECT_EQ(convert(middle * 0.9999, middle * 1.0001), byte << 8 | (byte + 1)) << byte;
      EXPECT_EQ(convert(-middle, middle), (byte + byte % 2) * 0x101 | 0x8000) << byte;
    }
    EXPECT_EQ(convert(1e9, -INFINITY), largest << 8 | largest | 0x80);
    EXPECT_EQ(convert(NAN, 1e-30), 0x7f00);
  }
}

TEST(Bytes, BecomeHalves) {
  for (const auto& [layout, fraction, largest] : {std::tuple{"e4m3x2", 3, 0x7eU}, std::tuple{"e5m2x2", 2, 0x7bU}}) {
    const auto text = "{ .reg .b16 %h<3>; cvt.u16.u32 %h1, %r1; cvt.rn.f16x2." + std::string(layout) +
                      " %r3, %h1; cvt.rn.satfinite." + std::string(layout) +
                      ".f16x2 %h2, %r3; cvt.u32.u16 %r4, %h2; setp.ne.u32 %p1, %r2, 0; selp.b32 %r3, %r4, %r3, %p1; }";
    for (unsigned byte = 0; byte <= largest; ++byte) {
      const auto upper = result_of(text, byte << 8 | byte | 0x80, 0);
      const float exact = static_cast<float>(number_of(byte, fraction));
      const auto single = std::bit_cast<unsigned>(exact);
      // Halves have at least the exponents and the digits of both layouts; the least are no normal halves of e5m2.
      const unsigned half = exact == 0         ? 0
                            : exact < 0x1p-14F ? static_cast<unsigned>(exact * 0x1p24F)
                                               : ((single >> 13) & 0x3ffffU) - (112U << 10);
      EXPECT_EQ(upper, half << 16 | half | 0x8000) << byte;
      EXPECT_EQ(result_of(text, byte << 8 | byte | 0x80, 1), byte << 8 | byte | 0x80) << byte;
    }
    EXPECT_EQ(result_of(text, 0x7fff, 0), 0x7fff7fffU);
  }
  EXPECT_EQ(result_of("{ .reg .b16 %h1; cvt.u16.u32 %h1, %r1; cvt.rn.f16x2.e5m2x2 %r3, %h1; }", 0x7cfc, 0),
            0x7c00fc00U);
}

TEST(WholeNumbers, StopAtZero) {
  EXPECT_EQ(result_of("max.s32.relu %r3, %r1, %r2;", 0xfffffff0, 0xfffffff8), 0);
  EXPECT_EQ(result_of("min.s32.relu %r3, %r1, %r2;", 9, 5), 5);
  EXPECT_EQ(result_of("min.s32.relu %r3, %r1, %r2;", 9, 0xfffffff8), 0);
}

}  // namespace
}  // namespace warpipe::test
