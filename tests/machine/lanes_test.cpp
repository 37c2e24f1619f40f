// Operations over lanes against their definitions, with each set of vector instructions of this host.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "loaded.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::size_t kThreads = 4096;

/// A kernel in which each thread has words of its own %x, %y and %z, and makes %w of them.
std::string kernel_of(const std::string& body) {
  std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry each(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) {
  .reg .b64 %p<6>;
  .reg .b32 %x, %y, %z, %w, %t<9>;
  .reg .b16 %h<9>;
  .reg .f32 %f<9>;
  .reg .pred %q<4>;
  .reg .b64 %l<9>;
  mov.u32 %t0, %ctaid.x;
  mov.u32 %t1, %ntid.x;
  mov.u32 %t2, %tid.x;
  mad.lo.u32 %t3, %t0, %t1, %t2;
  mul.wide.u32 %p0, %t3, 4;
)";
  const std::string names[] = {"a", "b", "c", "d"}, registers[] = {"%x", "%y", "%z", "%w"};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto at = "%p" + std::to_string(i + 1);
    text += "ld.param.u64 " + at + ", [" + names[i] + "]; add.u64 " + at + ", " + at + ", %p0;\n";
    if (i < 3) text += "ld.global.b32 " + registers[i] + ", [" + at + "];\n";
  }
  return text + body + "\nst.global.b32 [%p4], %w;\nret;\n}\n";
}

/// Each thread's result from its words, the same with all vector instructions.
Words made_by(const std::string& body, const Words& x, const Words& y, const Words& z) {
  const auto module = ptx::read_ptx(kernel_of(body), "lanes_test.ptx");
  const auto program = ptx::executable_program(module, "each");
  std::vector<Words> all;
  for (const char* const lanes : {"AVX-512", "AVX2", "portable"}) {
    setenv("WARPIPE_LANES", lanes, 1);
    Loaded loaded;
    auto* const out = loaded.array(Words(x.size()));
    machine::Launch launch;
    launch.grid = {static_cast<std::int64_t>(x.size()) / 128, 1, 1};
    launch.block = {128, 1, 1};
    launch.arguments = arguments(loaded.array(x), loaded.array(y), loaded.array(z), out);
    machine::Machine(program, loaded.variables).run(launch, loaded.memory);
    all.emplace_back(out, out + x.size());
  }
  unsetenv("WARPIPE_LANES");
  EXPECT_EQ(all[0], all[1]) << body;
  EXPECT_EQ(all[0], all[2]) << body;
  return all[0];
}

float single(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// Random words, and words whose halves are edges of their format.
Words drawn(unsigned seed) {
  std::mt19937 random(seed);
  constexpr std::uint32_t kEdges[] = {0,      1,      2,      0x3ff,  0x400,  0x7bff, 0x7c00, 0x7e00, 0x3c00, 0x3c01,
                                      0x8000, 0x8001, 0x83ff, 0xfbff, 0xfc00, 0xbc00, 0x7f7f, 0x7f80, 0x0080, 0x3f80};
  const auto edge = [&] { return kEdges[random() % std::size(kEdges)]; };
  Words words(kThreads);
  for (std::size_t i = 0; i < kThreads; ++i)
    words[i] = i % 4 == 0 ? edge() | (edge() << 16) : static_cast<std::uint32_t>(random());
  // Exponents that meet: sums equal neither of their numbers.
  for (std::size_t i = 1; i < kThreads; i += 4) words[i] = (words[i] & 0x83ff83ff) | 0x3c003c00;
  return words;
}

/// A float of 16 bits.
struct Layout {
  const char* name;
  int fraction;
  double number(std::uint32_t bits) const {
    const int exponents = 15 - fraction, bias = (1 << (exponents - 1)) - 1;
    const int exponent = static_cast<int>((bits & 0x7fff) >> fraction);
    const auto part = static_cast<double>(bits & ((1U << fraction) - 1));
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;
    if (exponent == (1 << exponents) - 1) return part != 0 ? NAN : sign * HUGE_VAL;
    if (exponent == 0) return sign * std::ldexp(part, 1 - bias - fraction);
    return sign * std::ldexp(std::ldexp(1, fraction) + part, exponent - bias - fraction);
  }
  /// The nearest number's bits, of two the even bits.
  /// @param rest  exact number less `value`: at most half of the last place of a double
  std::uint32_t nearest(double value, double rest = 0) const {
    if (std::isnan(value)) return 0x7fff;
    const std::uint32_t sign = std::signbit(value) ? 0x8000 : 0, infinite = ((1U << (15 - fraction)) - 1) << fraction;
    const double size = std::fabs(value), beside = std::signbit(value) ? -rest : rest;
    if (std::isinf(value)) return sign | infinite;
    std::uint32_t low = 0, high = infinite;  // low <= size < high
    while (high - low > 1) {
      const auto middle = (low + high) / 2;
      const bool above = number(middle) > size || (number(middle) == size && beside < 0);
      (above ? high : low) = middle;
    }
    // The number that would follow the greatest takes part as infinity.
    const double next = high == infinite ? 2 * number(low) - number(low - 1) : number(high);
    const double half = number(low) + (next - number(low)) / 2;
    const bool up = size > half || (size == half && (beside > 0 || (beside == 0 && (low & 1) != 0)));
    return sign | (up ? high : low);
  }
  std::uint32_t fused(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const double product = number(a) * number(b), other = number(c), sum = product + other;
    const double of_other = sum - product, of_product = sum - of_other;
    const double rest = (product - of_product) + (other - of_other);
    return nearest(sum, std::isfinite(sum) ? rest : 0);
  }
};
constexpr Layout kHalf{"f16", 10}, kBrain{"bf16", 7};

bool is_number(const Layout& layout, std::uint32_t bits) { return !std::isnan(layout.number(bits & 0xffff)); }

/// Both halves of a register, and a half alone.
template <class Expected>
void expect_in_pairs(const Layout& layout, const std::string& op, int inputs, const Expected& expected) {
  const auto x = drawn(1), y = drawn(2), z = drawn(3);
  const std::string name = layout.name;
  const std::string operands = inputs == 1 ? ", %x" : inputs == 2 ? ", %x, %y" : ", %x, %y, %z";
  const auto pairs = made_by(op + "." + name + "x2 %w" + operands + ";", x, y, z);
  const std::string halves = inputs == 1 ? ", %h1" : inputs == 2 ? ", %h1, %h3" : ", %h1, %h3, %h5";
  const auto alone = made_by("mov.b32 {%h0, %h1}, %x; mov.b32 {%h2, %h3}, %y; mov.b32 {%h4, %h5}, %z;\n" + op + "." +
                                 name + " %h6" + halves + "; mov.b32 %w, {%h6, %h0};",
                             x, y, z);
  for (std::size_t i = 0; i < kThreads; ++i) {
    const auto low = expected(x[i] & 0xffff, y[i] & 0xffff, z[i] & 0xffff);
    const auto high = expected(x[i] >> 16, y[i] >> 16, z[i] >> 16);
    ASSERT_EQ(pairs[i], low | (high << 16))
        << op << " " << name << std::hex << " of " << x[i] << " " << y[i] << " " << z[i];
    ASSERT_EQ(alone[i] & 0xffff, high) << op << " " << name << std::hex << " of " << x[i] << " " << y[i] << " " << z[i];
  }
}

TEST(Lanes, HalvesAreRoundedOnce) {
  for (const auto& layout : {kHalf, kBrain}) {
    expect_in_pairs(layout, "add.rn", 2,
                    [&](auto a, auto b, auto /*c*/) { return layout.nearest(layout.number(a) + layout.number(b)); });
    expect_in_pairs(layout, "sub.rn", 2,
                    [&](auto a, auto b, auto /*c*/) { return layout.nearest(layout.number(a) - layout.number(b)); });
    expect_in_pairs(layout, "mul.rn", 2,
                    [&](auto a, auto b, auto /*c*/) { return layout.nearest(layout.number(a) * layout.number(b)); });
    expect_in_pairs(layout, "fma.rn", 3, [&](auto a, auto b, auto c) { return layout.fused(a, b, c); });
    expect_in_pairs(layout, "neg", 1, [](auto a, auto /*b*/, auto /*c*/) { return a ^ 0x8000; });
    expect_in_pairs(layout, "abs", 1, [](auto a, auto /*b*/, auto /*c*/) { return a & 0x7fff; });
    expect_in_pairs(layout, "min", 2, [&](auto a, auto b, auto /*c*/) -> std::uint32_t {
      if (!is_number(layout, a)) return is_number(layout, b) ? b : 0x7fff;
      if (!is_number(layout, b)) return a;
      const double one = layout.number(a), other = layout.number(b);
      return one < other || (one == other && (a & 0x8000) != 0) ? a : b;
    });
  }
}

TEST(Lanes, ConversionsOfHalvesAreRoundedOnce) {
  const auto x = drawn(4), y = drawn(5);
  for (const auto& layout : {kHalf, kBrain}) {
    const std::string name = layout.name;
    const auto floats = made_by("mov.b32 {%h0, %h1}, %x; cvt.f32." + name + " %f0, %h1; mov.b32 %w, %f0;", x, y, y);
    const auto pairs = made_by("mov.b32 %f0, %x; mov.b32 %f1, %y; cvt.rn." + name + "x2.f32 %w, %f0, %f1;", x, y, y);
    for (std::size_t i = 0; i < kThreads; ++i) {
      const double number = layout.number(x[i] >> 16);
      const bool same =
          std::isnan(number) ? std::isnan(single(floats[i])) : static_cast<double>(single(floats[i])) == number;
      ASSERT_TRUE(same) << std::hex << x[i];
      const auto upper = layout.nearest(static_cast<double>(single(x[i])));
      const auto lower = layout.nearest(static_cast<double>(single(y[i])));
      ASSERT_EQ(pairs[i], (upper << 16) | lower) << name << std::hex << " of " << x[i] << " " << y[i];
    }
  }
  const auto whole = made_by("cvt.rn.f16.s32 %h0, %x; cvt.rni.s32.f16 %w, %h0;", x, y, y);
  for (std::size_t i = 0; i < kThreads; ++i) {
    const auto half = kHalf.number(kHalf.nearest(static_cast<double>(static_cast<std::int32_t>(x[i]))));
    const double bounded = std::clamp(half, -2147483648.0, 2147483647.0);
    ASSERT_EQ(static_cast<std::int32_t>(whole[i]), static_cast<std::int32_t>(std::nearbyint(bounded))) << x[i];
  }
}

TEST(Lanes, ComparisonsOfHalvesKnowWhatIsNoNumber) {
  const auto x = drawn(6), y = drawn(7);
  const auto made = made_by(
      "mov.b32 {%h0, %h1}, %x; mov.b32 {%h2, %h3}, %y;\n"
      "setp.lt.f16 %q0, %h0, %h2; setp.geu.f16 %q1, %h0, %h2; selp.u32 %t4, 1, 0, %q0; selp.u32 %t5, 2, 0, %q1;\n"
      "or.b32 %w, %t4, %t5;",
      x, y, y);
  for (std::size_t i = 0; i < kThreads; ++i) {
    const double a = kHalf.number(x[i] & 0xffff), b = kHalf.number(y[i] & 0xffff);
    ASSERT_EQ(made[i], (a < b ? 1U : 0U) | (a < b ? 0U : 2U)) << a << " " << b;
  }
}

/// Floats of all sizes, and some near each other.
Words drawn_floats(unsigned seed) {
  std::mt19937 random(seed);
  Words words(kThreads);
  for (std::size_t i = 0; i < kThreads; ++i)
    words[i] = i % 2 == 0 ? static_cast<std::uint32_t>(random())
                          : std::bit_cast<std::uint32_t>(std::ldexp(static_cast<float>(random() >> 8), -20));
  return words;
}

TEST(Lanes, FloatsAreRoundedAsAnInstructionSays) {
  const auto x = drawn_floats(8), y = drawn_floats(9), z = drawn_floats(10);
  const std::pair<const char*, int> ways[] = {{"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};
  for (const auto& [word, way] : ways) {
    const auto rounding = std::string(".") + word + ".f32 %f3, ";
    const auto body = [&](const std::string& text) {
      return "mov.b32 %f0, %x; mov.b32 %f1, %y; mov.b32 %f2, %z;\n" + text + "; mov.b32 %w, %f3;";
    };
    const auto fused = made_by(body("fma" + rounding + "%f0, %f1, %f2"), x, y, z);
    const auto sums = made_by(body("add" + rounding + "%f0, %f1"), x, y, z);
    const auto quotients = made_by(body("div" + rounding + "%f0, %f1"), x, y, z);
    std::fesetround(way);
    Words expected[3];
    for (std::size_t i = 0; i < kThreads; ++i) {
      const volatile float a = single(x[i]), b = single(y[i]), c = single(z[i]);
      const volatile float results[] = {std::fma(a, b, c), a + b, a / b};
      for (std::size_t k = 0; k < 3; ++k)
        expected[k].push_back(std::isnan(results[k]) ? 0x7fffffff
                                                     : std::bit_cast<std::uint32_t>(static_cast<float>(results[k])));
    }
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(fused, expected[0]) << word;
    EXPECT_EQ(sums, expected[1]) << word;
    EXPECT_EQ(quotients, expected[2]) << word;
  }
}

TEST(Lanes, SinesAndTheirLikeAreTheNearestFloatsOrNextToThem) {
  auto x = drawn_floats(11);
  for (std::size_t i = 0; i < 512; ++i) x[i] = std::bit_cast<std::uint32_t>(static_cast<float>(i) * 0.0245F - 6.28F);
  x[0] = 0x7f800000;
  const std::pair<const char*, double (*)(double)> functions[] = {
      {"sin.approx", std::sin}, {"cos.approx", std::cos}, {"tanh.approx", std::tanh}};
  for (const auto& [name, function] : functions) {
    const auto made = made_by("mov.b32 %f0, %x; " + std::string(name) + ".f32 %f1, %f0; mov.b32 %w, %f1;", x, x, x);
    for (std::size_t i = 0; i < kThreads; ++i) {
      const auto exact = static_cast<float>(function(static_cast<double>(single(x[i]))));
      if (std::isnan(exact)) {
        ASSERT_TRUE(std::isnan(single(made[i]))) << name << " of " << single(x[i]);
        continue;
      }
      const float next = std::nextafter(exact, single(made[i]));
      ASSERT_TRUE(single(made[i]) == exact || single(made[i]) == next) << name << " of " << single(x[i]);
    }
  }
}

TEST(Lanes, CarriesGoThroughNumbersOfManyWords) {
  const auto x = drawn(12), y = drawn(13), z = drawn(14);
  // The highest words of (x:y:z) + (y:z:x) and of the difference.
  const auto sums = made_by("add.cc.u32 %t4, %z, %x; addc.cc.u32 %t5, %y, %z; addc.u32 %w, %x, %y;", x, y, z);
  const auto differences = made_by("sub.cc.u32 %t4, %z, %x; subc.cc.u32 %t5, %y, %z; subc.u32 %w, %x, %y;", x, y, z);
  for (std::size_t i = 0; i < kThreads; ++i) {
    __extension__ using U128 = unsigned __int128;
    const auto joined = [](U128 a, U128 b, U128 c) { return (a << 64) | (b << 32) | c; };
    const U128 one = joined(x[i], y[i], z[i]), other = joined(y[i], z[i], x[i]);
    ASSERT_EQ(sums[i], static_cast<std::uint32_t>((one + other) >> 64));
    ASSERT_EQ(differences[i], static_cast<std::uint32_t>((one - other) >> 64));
  }
}

TEST(Lanes, SumsOfProductsOfBytes) {
  const auto x = drawn(15), y = drawn(16), z = drawn(17);
  const auto with_sign = made_by("dp4a.s32.s32 %w, %x, %y, %z;", x, y, z);
  const auto mixed = made_by("dp4a.u32.s32 %w, %x, %y, %z;", x, y, z);
  for (std::size_t i = 0; i < kThreads; ++i) {
    std::int64_t sum = 0, other = 0;
    for (int byte = 0; byte < 4; ++byte) {
      const auto b = static_cast<std::int8_t>(y[i] >> (8 * byte));
      sum += static_cast<std::int8_t>(x[i] >> (8 * byte)) * b;
      other += static_cast<std::uint8_t>(x[i] >> (8 * byte)) * b;
    }
    ASSERT_EQ(with_sign[i], z[i] + static_cast<std::uint32_t>(sum));
    ASSERT_EQ(mixed[i], z[i] + static_cast<std::uint32_t>(other));
  }
}

TEST(Lanes, ShufflesStayWithinTheirSegments) {
  const auto x = drawn(18), y = drawn(19);
  for (const int width : {32, 8}) {
    const auto segment = static_cast<unsigned>(32 - width) << 8;
    for (const std::string way : {"up", "down", "bfly", "idx"}) {
      const auto bounds = std::to_string(segment | (way == "up" ? 0U : 31U));
      const auto made = made_by("and.b32 %t4, %y, 15; shfl.sync." + way + ".b32 %t5|%q0, %x, %t4, " + bounds +
                                    ", -1; selp.u32 %t6, 1, 0, %q0; shl.b32 %t6, %t6, 31; xor.b32 %w, %t5, %t6;",
                                x, y, y);
      for (std::size_t i = 0; i < kThreads; ++i) {
        const int lane = static_cast<int>(i % 32), by = static_cast<int>(y[i] & 15), first = lane / width * width;
        const int from = way == "up"     ? lane - by
                         : way == "down" ? lane + by
                         : way == "bfly" ? (lane ^ by)
                                         : first + by % width;
        // Upper lanes of a segment may be read across, as PTX defines: only their end bounds them.
        const bool within = way == "up" ? from >= first : from < first + width;
        const auto read = x[i - static_cast<std::size_t>(lane) + static_cast<std::size_t>(within ? from : lane)];
        ASSERT_EQ(made[i], read ^ (within ? 0x80000000 : 0)) << way << " " << width << " in lane " << lane;
      }
    }
  }
}

TEST(Lanes, LoadsOfAllWidthsHaveTheirSigns) {
  const auto x = drawn(20);
  // Only lanes with odd x: bytes and halves with their signs, in pairs, and shared memory the same.
  const auto made = made_by(
      ".shared .align 4 .b32 room[128]; mov.u32 %t4, room; shl.b32 %t5, %t2, 2; add.u32 %t4, %t4, %t5;\n"
      "st.shared.b32 [%t4], %x; and.b32 %t6, %x, 1; setp.eq.u32 %q0, %t6, 1; mov.u32 %w, 77; mov.u32 %t7, 0;\n"
      "@%q0 ld.global.s8 %w, [%p1+1]; @%q0 ld.shared.s16 %t7, [%t4+2]; add.u32 %w, %w, %t7;\n"
      "ld.global.v2.u16 {%h0, %h1}, [%p1]; mov.b32 %t8, {%h1, %h0}; xor.b32 %w, %w, %t8;\n"
      "ld.shared.s32 %l0, [%t4]; shr.s64 %l0, %l0, 40; cvt.u32.u64 %t8, %l0; xor.b32 %w, %w, %t8;",
      x, x, x);
  for (std::size_t i = 0; i < kThreads; ++i) {
    auto expected = 77U;
    if ((x[i] & 1) != 0)
      expected = static_cast<std::uint32_t>(static_cast<std::int8_t>(x[i] >> 8)) +
                 static_cast<std::uint32_t>(static_cast<std::int16_t>(x[i] >> 16));
    expected ^= (x[i] >> 16) | (x[i] << 16);
    expected ^= (x[i] >> 31) != 0 ? ~0U : 0U;
    ASSERT_EQ(made[i], expected) << std::hex << x[i];
  }
}

TEST(Lanes, RegistersAreZeroInEveryGroupUntilTheyAreWritten) {
  // %t8 is read before it is written, and written afterwards: the next group on the same thread of the host finds zero.
  const auto made = made_by("mov.u32 %w, %t8; add.u32 %t8, %x, 5; add.u32 %w, %w, %t8;", Words(kThreads, 1),
                            Words(kThreads, 0), Words(kThreads, 0));
  EXPECT_EQ(made, Words(kThreads, 6));
}

TEST(Lanes, ArgumentsAreReadElementByElement) {
  const auto made = made_by(
      "ld.param.v2.u32 {%t4, %t5}, [b]; cvt.u64.u32 %l0, %t5; shl.b64 %l0, %l0, 32; "
      "cvt.u64.u32 %l1, %t4; or.b64 %l0, %l0, %l1; add.u64 %l0, %l0, %p0; ld.global.b32 %w, [%l0];",
      drawn(21), drawn(22), drawn(23));
  EXPECT_EQ(made, drawn(22));
}

}  // namespace
}  // namespace warpipe::test
