// Results of instructions in a lane, against the arithmetic of the host, for edges and random numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "assembled.hpp"

namespace warpipe::test {
namespace {

using U32 = std::uint32_t;
using S32 = std::int32_t;
using U64 = std::uint64_t;

constexpr unsigned kA = 8, kB = 10, kC = 12, kTo = 16;  // registers

struct Numbers {
  U64 a = 0, b = 0, c = 0;
  bool p = false;
};

struct Case {
  std::string name;
  Assembled instruction;
  std::function<LaneResult(const Numbers&)> expected;
  int architecture = 80;
  bool floats = false;
};

U32 low(U64 number) { return static_cast<U32>(number); }
U32 high(U64 number) { return static_cast<U32>(number >> 32); }
LaneResult whole(U64 number) { return {low(number), high(number), 0}; }
LaneResult word(U32 number, bool truth = false) { return {number, 0, truth ? 1U : 0U}; }
LaneResult truth(bool is) { return {0, 0, is ? 1U : 0U}; }
float real(U64 bits) { return std::bit_cast<float>(low(bits)); }
double twice(U64 bits) { return std::bit_cast<double>(bits); }
U32 bits_of(float number) { return std::bit_cast<U32>(number); }

Assembled three(unsigned opcode) { return Assembled(opcode).dst(kTo).a(kA).b(kB).c(kC); }
/// The truth goes to P2; P1 is joined by `and`.
Assembled comparing(unsigned opcode, unsigned comparison) {
  return Assembled(opcode).a(kA).b(kB).c(0x70).set(76, 4, comparison).set(81, 3, 2).set(87, 3, 1);
}

U64 drawn(std::mt19937_64& random, bool floats) {
  static constexpr U64 kEdges[] = {0,
                                   1,
                                   2,
                                   31,
                                   32,
                                   33,
                                   63,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0xfffffffe,
                                   0x100000000,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   ~U64{0},
                                   0xffffffff80000000};
  static constexpr double kFloats[] = {0, -0.0, 1, -1, 0.5, 1.5, 2.5, 1e30, -1e30, 3.0e-39, 65536.75, -3.25};
  const auto sort = random() % 4;
  if (floats) {
    const double number =
        sort < 2 ? kFloats[random() % std::size(kFloats)]
                 : std::ldexp(static_cast<double>(random() % 4096) - 2048, static_cast<int>(random() % 24) - 12);
    return (std::bit_cast<U64>(number) & ~U64{0xffffffff}) | bits_of(static_cast<float>(number));
  }
  return sort < 2 ? kEdges[random() % std::size(kEdges)] : random() >> (random() % 64);
}

std::vector<Case> whole_cases() {
  std::vector<Case> all;
  const auto add = [&](std::string name, const Assembled& one, std::function<LaneResult(const Numbers&)> expected,
                       int architecture = 80) {
    all.push_back({std::move(name), one, std::move(expected), architecture});
  };
  const auto add3 = three(0x210).set(80, 1, 1).set(77, 3, 7).set(90, 1, 1);
  add("IADD3", add3, [](const Numbers& n) { return word(low(n.a) + low(n.b) + low(n.c)); });
  add("IADD3 with minus", Assembled(add3).set(63, 1, 1),
      [](const Numbers& n) { return word(low(n.a) - low(n.b) + low(n.c)); });
  add("IADD3 with a carry", Assembled(add3).set(81, 3, 2), [](const Numbers& n) {
    const auto sum = U64{low(n.a)} + low(n.b) + low(n.c);
    return word(low(sum), sum >> 32 != 0);
  });
  add("IADD3 with a second carry", Assembled(add3).set(84, 3, 2), [](const Numbers& n) {
    const auto sum = U64{low(n.a)} + low(n.b) + low(n.c);
    return word(low(sum), sum >> 33 != 0);
  });
  add("IADD3 of a difference with a carry", Assembled(add3).set(63, 1, 1).set(81, 3, 2).c(255),
      [](const Numbers& n) { return word(low(n.a) - low(n.b), low(n.a) >= low(n.b)); });
  add("IADD3.X", three(0x210).set(74, 1, 1).set(87, 3, 1).set(77, 3, 7).set(80, 1, 1).c(255).set(81, 3, 2),
      [](const Numbers& n) {
        const auto sum = U64{low(n.a)} + low(n.b) + (n.p ? 1 : 0);
        return word(low(sum), sum >> 32 != 0);
      });
  add("IADD3.X of a difference",
      three(0x210).set(74, 1, 1).set(63, 1, 1).set(87, 3, 1).set(77, 3, 7).set(80, 1, 1).c(255),
      [](const Numbers& n) { return word(low(n.a) + ~low(n.b) + (n.p ? 1 : 0)); });
  add("IMAD", three(0x224).set(73, 1, 1), [](const Numbers& n) { return word(low(n.a) * low(n.b) + low(n.c)); });
  add("IMAD.WIDE", three(0x225).set(73, 1, 1), [](const Numbers& n) {
    return whole(static_cast<U64>(std::int64_t{static_cast<S32>(low(n.a))} * static_cast<S32>(low(n.b))) + n.c);
  });
  add("IMAD.WIDE.U32", three(0x225), [](const Numbers& n) { return whole(U64{low(n.a)} * low(n.b) + n.c); });
  add("IMAD.HI.U32", three(0x227), [](const Numbers& n) { return word(high(U64{low(n.a)} * low(n.b) + n.c)); });
  add("IMAD.HI.U32 of two", three(0x227).c(255), [](const Numbers& n) { return word(high(U64{low(n.a)} * low(n.b))); });
  add("IMAD.HI.U32 with a carry", three(0x227).set(81, 3, 2), [](const Numbers& n) {
    const auto product = U64{low(n.a)} * low(n.b);
    return word(high(product + n.c), product + n.c < product);
  });
  add("IMAD.WIDE.U32 with a carry", three(0x225).set(81, 3, 2), [](const Numbers& n) {
    const auto product = U64{low(n.a)} * low(n.b);
    auto made = whole(product + n.c);
    made.truth = product + n.c < product ? 1 : 0;
    return made;
  });
  add("IMAD.X", three(0x224).set(74, 1, 1).set(87, 3, 1).set(75, 1, 1),
      [](const Numbers& n) { return word(low(n.a) * low(n.b) + ~low(n.c) + (n.p ? 1 : 0)); });
  for (const unsigned distance : {0U, 1U, 2U, 5U, 31U}) {
    const auto lea = three(0x211).set(75, 5, distance);
    add(fmt::format("LEA {}", distance), Assembled(lea).c(255).set(81, 3, 2), [=](const Numbers& n) {
      const auto sum = U64{low(n.a) << distance} + low(n.b);
      return word(low(sum), sum >> 32 != 0);
    });
    add(fmt::format("LEA {} of a difference with a carry", distance), Assembled(lea).c(255).set(72, 1, 1).set(81, 3, 2),
        [=](const Numbers& n) {
          const auto shifted = low(n.a) << distance;
          return word(low(n.b) - shifted, low(n.b) >= shifted);
        });
    if (distance == 0) continue;
    add(fmt::format("LEA.HI {}", distance), Assembled(lea).set(80, 1, 1),
        [=](const Numbers& n) { return word(high((U64{low(n.c)} << 32 | low(n.a)) << distance) + low(n.b)); });
    add(fmt::format("LEA.HI.X {}", distance), Assembled(lea).set(80, 1, 1).set(74, 1, 1).set(87, 3, 1),
        [=](const Numbers& n) {
          return word(high((U64{low(n.c)} << 32 | low(n.a)) << distance) + low(n.b) + (n.p ? 1 : 0));
        });
    add(fmt::format("LEA.HI.SX32 {}", distance), Assembled(lea).set(80, 1, 1).set(73, 1, 1).c(255),
        [=](const Numbers& n) {
          return word(low(static_cast<U64>(std::int64_t{static_cast<S32>(low(n.a))} >> (32 - distance))) + low(n.b));
        });
  }
  for (const unsigned table : {0xc0U, 0x3cU, 0xfcU, 0xf8U, 0x96U, 0xcaU, 0x30U, 0x0fU})
    for (const unsigned c : {kC, 255U})
      add(fmt::format("LOP3 {:#x} {}", table, c), three(0x212).c(c).set(72, 8, table).set(81, 3, 2).set(90, 1, 1),
          [=](const Numbers& n) {
            U32 result = 0;
            for (int i = 0; i < 32; ++i) {
              const auto bit = [i](U64 number) { return static_cast<unsigned>(number >> i & 1); };
              result |= (table >> (4 * bit(n.a) + 2 * bit(n.b) + (c == kC ? bit(n.c) : 0)) & 1U) << i;
            }
            return word(result, result != 0);
          });
  struct Shift {
    const char* name;
    unsigned type;
    bool right, upper, wrap;
  };
  for (const auto& of : {Shift{"SHF.L.U32", 3, false, false, false}, Shift{"SHF.L.U32.HI", 3, false, true, false},
                         Shift{"SHF.L.W.U32.HI", 3, false, true, true}, Shift{"SHF.R.U32.HI", 3, true, true, false},
                         Shift{"SHF.R.S32.HI", 2, true, true, false}, Shift{"SHF.R.W.U32", 3, true, false, true},
                         Shift{"SHF.R.U64", 1, true, false, false}, Shift{"SHF.R.S64", 0, true, false, false},
                         Shift{"SHF.L.U64.HI", 1, false, true, false}})
    add(of.name,
        three(0x219)
            .set(73, 2, of.type)
            .set(75, 1, of.wrap ? 1 : 0)
            .set(76, 1, of.right ? 1 : 0)
            .set(80, 1, of.upper ? 1 : 0),
        [=](const Numbers& n) {
          const bool wide = of.type < 2, sign = of.type == 0 || of.type == 2;
          U64 distance = low(n.b);
          distance = of.wrap ? distance % (wide ? 64 : 32) : std::min<U64>(distance, wide ? 64 : 32);
          const auto window = U64{low(n.c)} << 32 | low(n.a);
          U64 moved = 0;
          if (!of.right)
            moved = distance >= 64 ? 0 : window << distance;
          else if (sign)
            moved = static_cast<U64>(static_cast<std::int64_t>(window) >> std::min<U64>(distance, 63));
          else
            moved = distance >= 64 ? 0 : window >> distance;
          return word(of.upper ? high(moved) : low(moved));
        });
  add("SEL", three(0x207).set(87, 3, 1), [](const Numbers& n) { return word(n.p ? low(n.a) : low(n.b)); });
  static constexpr const char* kNames[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
  const auto holds = [](unsigned comparison, auto a, auto b) {
    const bool is[] = {false, a<b, a == b, a <= b, a> b, a != b, a >= b, true};
    return is[comparison];
  };
  for (unsigned i = 0; i < 8; ++i) {
    const auto compare = comparing(0x20c, i).set(79, 1, 0).set(68, 3, 7);
    add(std::string("ISETP.U32.") + kNames[i], compare,
        [=](const Numbers& n) { return truth(n.p && holds(i, low(n.a), low(n.b))); });
    add(std::string("ISETP.OR.") + kNames[i], Assembled(compare).set(73, 1, 1).set(74, 2, 1), [=](const Numbers& n) {
      return truth(n.p || holds(i, static_cast<S32>(low(n.a)), static_cast<S32>(low(n.b))));
    });
    if (i == 0 || i == 7) continue;
    // The low words were compared before, as P1 says: the whole is a comparison of 64 bits.
    add(std::string("ISETP.EX.") + kNames[i],
        Assembled(compare).set(73, 1, 1).set(72, 1, 1).set(87, 3, 7).set(68, 3, 1), [=](const Numbers& n) {
          const auto a = static_cast<S32>(low(n.a)), b = static_cast<S32>(low(n.b));
          if (i == 5) return truth(a != b || n.p);
          if (i == 2) return truth(a == b && n.p);
          return truth(i == 1 || i == 3 ? a < b || (a == b && n.p) : a > b || (a == b && n.p));
        });
  }
  add("IMNMX", three(0x217).set(73, 1, 1).set(87, 3, 1), [](const Numbers& n) {
    const auto a = static_cast<S32>(low(n.a)), b = static_cast<S32>(low(n.b));
    return word(static_cast<U32>(n.p ? std::min(a, b) : std::max(a, b)));
  });
  add(
      "VIMNMX3.S32.RELU", three(0x20f).set(72, 1, 1).set(76, 1, 1).set(87, 3, 1),
      [](const Numbers& n) {
        const std::array three_of{static_cast<S32>(low(n.a)), static_cast<S32>(low(n.b)), static_cast<S32>(low(n.c))};
        const auto extreme = n.p ? std::ranges::min(three_of) : std::ranges::max(three_of);
        return word(static_cast<U32>(std::max(extreme, 0)));
      },
      90);
  add("IABS", three(0x213),
      [](const Numbers& n) { return word(static_cast<S32>(low(n.b)) < 0 ? 0 - low(n.b) : low(n.b)); });
  add("PRMT", three(0x216), [](const Numbers& n) {
    const auto bytes = U64{low(n.c)} << 32 | low(n.a);
    U32 result = 0;
    for (int i = 0; i < 4; ++i) {
      const auto selector = low(n.b) >> (4 * i) & 15;
      auto byte = static_cast<U32>(bytes >> (8 * (selector & 7)) & 255);
      if ((selector & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
      result |= byte << (8 * i);
    }
    return word(result);
  });
  add("POPC", three(0x309), [](const Numbers& n) { return word(static_cast<U32>(std::popcount(low(n.b)))); });
  add("FLO.U32", three(0x300),
      [](const Numbers& n) { return word(low(n.b) == 0 ? ~0U : static_cast<U32>(std::bit_width(low(n.b))) - 1); });
  add("BREV", three(0x301), [](const Numbers& n) {
    U32 result = 0;
    for (int i = 0; i < 32; ++i) result |= (low(n.b) >> i & 1) << (31 - i);
    return word(result);
  });
  // A table of three truths: P1, not P1, and a constant truth.
  for (const unsigned table : {0x80U, 0xfeU, 0x96U, 0x01U, 0x55U, 0x04U, 0x10U})
    for (const unsigned last : {1U, 0U})
      add(fmt::format("PLOP3 {:#x} {}", table, last),
          Assembled(0x81c)
              .set(16, 8, 0)
              .set(64, 8, table & 7)
              .set(72, 5, table >> 3)
              .set(77, 3, 1)
              .set(80, 1, 1)
              .set(81, 3, 2)
              .set(87, 3, 1)
              .set(68, 3, 7)
              .set(71, 1, 1 - last),
          [=](const Numbers& n) {
            const unsigned p = n.p ? 1 : 0;
            return truth((table >> (4 * p + 2 * (1 - p) + last) & 1) != 0);
          });
  add(
      "VIADD", three(0x236), [](const Numbers& n) { return word(low(n.a) + low(n.b)); }, 90);
  add(
      "VIADD of a difference", three(0x236).set(63, 1, 1), [](const Numbers& n) { return word(low(n.a) - low(n.b)); },
      90);
  add(
      "IADD.64", three(0x235), [](const Numbers& n) { return whole(n.a + n.b); }, 120);
  add(
      "MOV.64", three(0x202).set(80, 1, 1), [](const Numbers& n) { return whole(n.b); }, 120);
  return all;
}

std::vector<Case> float_cases() {
  std::vector<Case> all;
  const auto add = [&](std::string name, const Assembled& one, std::function<LaneResult(const Numbers&)> expected) {
    all.push_back({std::move(name), one, std::move(expected), 80, true});
  };
  add("FADD", three(0x221), [](const Numbers& n) { return word(bits_of(real(n.a) + real(n.b))); });
  add("FADD with signs", three(0x221).set(72, 1, 1).set(62, 1, 1),
      [](const Numbers& n) { return word(bits_of(-real(n.a) + std::abs(real(n.b)))); });
  add("FMUL", three(0x220), [](const Numbers& n) { return word(bits_of(real(n.a) * real(n.b))); });
  add("FFMA", three(0x223).set(75, 1, 1),
      [](const Numbers& n) { return word(bits_of(std::fma(real(n.a), real(n.b), -real(n.c)))); });
  add("FMNMX", three(0x209).set(87, 3, 1), [](const Numbers& n) {
    return word(bits_of(n.p ? std::fmin(real(n.a), real(n.b)) : std::fmax(real(n.a), real(n.b))));
  });
  add("FSEL", three(0x208).set(87, 3, 1).set(63, 1, 1),
      [](const Numbers& n) { return word(bits_of(n.p ? real(n.a) : -real(n.b))); });
  // The seventh: both are numbers, as they are here; the eighth: they are not. Beyond it, also where they are not.
  for (unsigned i = 0; i < 16; ++i)
    for (const bool flush : {false, true})
      add(fmt::format("FSETP {} {}", i, flush), comparing(0x20b, i).set(80, 1, flush ? 1 : 0), [=](const Numbers& n) {
        const auto seen = [=](float number) { return flush && std::fpclassify(number) == FP_SUBNORMAL ? 0 : number; };
        const auto a = seen(real(n.a)), b = seen(real(n.b));
        const bool holds[] = {false, a<b, a == b, a <= b, a> b, a != b, a >= b, i == 7 || i == 15};
        return truth(n.p && holds[i & 7]);
      });
  for (const unsigned i : {0U, 1U, 7U, 8U, 10U, 15U})
    add(fmt::format("DSETP {}", i), comparing(0x22a, i), [=](const Numbers& n) {
      const auto a = twice(n.a), b = twice(n.b);
      return truth(n.p && (i == 1 ? a < b : i == 10 ? a == b : i == 7 || i == 15));
    });
  const auto doubles = [](unsigned opcode) { return Assembled(opcode).dst(kTo).a(kA).b(kB).c(kC); };
  // Its second number stands in the place of other instructions' third number.
  add("DADD", doubles(0x229), [](const Numbers& n) { return whole(std::bit_cast<U64>(twice(n.a) + twice(n.c))); });
  add("DMUL", doubles(0x228), [](const Numbers& n) { return whole(std::bit_cast<U64>(twice(n.a) * twice(n.b))); });
  add("DFMA", doubles(0x22b),
      [](const Numbers& n) { return whole(std::bit_cast<U64>(std::fma(twice(n.a), twice(n.b), twice(n.c)))); });
  add("I2F", three(0x306).set(74, 1, 1).set(75, 2, 2).set(84, 3, 2),
      [](const Numbers& n) { return word(bits_of(static_cast<float>(static_cast<S32>(low(n.b))))); });
  add("I2F.F64", three(0x312).set(74, 1, 1).set(75, 2, 3).set(84, 3, 2),
      [](const Numbers& n) { return whole(std::bit_cast<U64>(static_cast<double>(static_cast<S32>(low(n.b))))); });
  add("F2I.TRUNC", three(0x305).set(72, 1, 1).set(75, 2, 2).set(78, 2, 3).set(84, 3, 2), [](const Numbers& n) {
    const auto number = std::trunc(double{real(n.b)});
    if (number >= 2147483647.0) return word(0x7fffffff);
    if (number <= -2147483648.0) return word(0x80000000);
    return word(static_cast<U32>(static_cast<S32>(number)));
  });
  add("F2F.F64", three(0x310).set(75, 2, 3).set(84, 3, 2),
      [](const Numbers& n) { return whole(std::bit_cast<U64>(double{real(n.b)})); });
  add("FRND.FLOOR", three(0x307).set(75, 2, 2).set(78, 2, 1).set(84, 3, 2),
      [](const Numbers& n) { return word(bits_of(std::floor(real(n.b)))); });
  return all;
}

void expect(const Case& of) {
  std::seed_seq seed(of.name.begin(), of.name.end());
  std::mt19937_64 random(seed);
  for (int round = 0; round < 8; ++round) {
    std::array<std::vector<U64>, 4> inputs;
    for (std::size_t i = 0; i < 4; ++i)
      for (int lane = 0; lane < 32; ++lane) inputs[i].push_back(i == 3 ? random() & 1 : drawn(random, of.floats));
    const auto found = execute(of.instruction, of.architecture, inputs);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const Numbers numbers{inputs[0][lane], inputs[1][lane], inputs[2][lane], inputs[3][lane] != 0};
      const auto expected = of.expected(numbers);
      const auto shown = fmt::format("{} of {:#x} {:#x} {:#x} {}", of.name, numbers.a, numbers.b, numbers.c, numbers.p);
      ASSERT_EQ(found[lane].low, expected.low) << shown;
      ASSERT_EQ(found[lane].high, expected.high) << shown;
      ASSERT_EQ(found[lane].truth, expected.truth) << shown;
    }
  }
}

TEST(LanesOfMachineCode, ComputeWholeNumbers) {
  for (const auto& one : whole_cases()) expect(one);
}

// Lanes 0 and 6, 1 and 7, ... hold the same 64 bits, every third lane the same lower word.
TEST(LanesOfMachineCode, FindTheLanesWithTheSameNumber) {
  std::array<std::vector<U64>, 4> inputs;
  for (auto& input : inputs) input.assign(32, 0);
  for (U64 lane = 0; lane < 32; ++lane) inputs[0][lane] = lane % 3 | (lane % 2) << 32;
  const auto match = Assembled(0x3a1).dst(kTo).a(kA);
  const auto any = execute(Assembled(match).set(79, 1, 1), 80, inputs);
  const auto any_of_64 = execute(Assembled(match).set(79, 1, 1).set(73, 1, 1), 80, inputs);
  const auto all = execute(Assembled(match).set(81, 3, 2), 80, inputs);
  for (auto& number : inputs[0]) number = 5;
  const auto all_alike = execute(Assembled(match).set(81, 3, 2), 80, inputs);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(any[lane].low, 0x49249249U << lane % 3);
    EXPECT_EQ(any_of_64[lane].low, 0x41041041U << lane % 6);
    EXPECT_EQ(all[lane].low, 0);
    EXPECT_EQ(all[lane].truth, 0);
    EXPECT_EQ(all_alike[lane].low, ~U32{0});
    EXPECT_EQ(all_alike[lane].truth, 1);
  }
}

TEST(LanesOfMachineCode, ComputeFloats) {
  for (const auto& one : float_cases()) expect(one);
}

}  // namespace
}  // namespace warpipe::test
