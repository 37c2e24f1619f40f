// Motion of results from iteration to iteration, against the iterations in turn.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "lane_machine.hpp"
#include "lanes/lane_stride.hpp"
#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using isa::LaneOp;
using isa::LaneOperation;
using isa::Motion;
using Kind = isa::Type::Kind;
__extension__ using Wide = __int128;

constexpr isa::Type kOneBit{Kind::Predicate, 1};

/// An operation and the widths of its inputs.
struct Moved {
  LaneOperation operation;
  std::vector<int> bits;
};

struct Start {
  std::vector<std::uint64_t> inputs;
  std::vector<Motion> motions;
};

std::vector<std::uint64_t> inputs_at(const Moved& moved, const Start& start, std::int64_t iteration) {
  std::vector<std::uint64_t> inputs;
  for (std::size_t i = 0; i < start.inputs.size(); ++i)
    inputs.push_back(isa::truncated(start.inputs[i] + static_cast<std::uint64_t>(iteration) * start.motions[i].stride,
                                    moved.bits[i]));
  return inputs;
}

std::uint64_t result_at(const Moved& moved, const Start& start, std::int64_t iteration) {
  return isa::truncated(*isa::evaluate(moved.operation, inputs_at(moved, start, iteration)),
                        moved.operation.result.bits);
}

/// Some start; each input moves with a chance of one half, often by little, often near an end of its type.
Start drawn(const Moved& moved, std::mt19937_64& random) {
  Start start;
  for (const int bits : moved.bits) {
    start.inputs.push_back(drawn_whole(random, bits));
    std::uint64_t stride = 0;
    if (bits > 1 && random() % 2 == 0) stride = random() % 3 == 0 ? drawn_whole(random, bits) : random() % 17 * 4;
    if (random() % 2 == 0) stride = 0 - stride;
    start.motions.push_back({isa::truncated(stride, random() % 2 == 0 ? 64 : bits), {}});
  }
  return start;
}

std::string shown(const Moved& moved, const Start& start) {
  auto text = fmt::format("operation {}, type {} bits {}:", static_cast<int>(moved.operation.op),
                          static_cast<int>(moved.operation.type.kind), moved.operation.type.bits);
  for (std::size_t i = 0; i < start.inputs.size(); ++i)
    text += fmt::format(" {:#x} + k * {:#x}", start.inputs[i], start.motions[i].stride);
  return text;
}

/// The checked iterations up to a horizon: the first 40, some more and the last.
std::vector<std::int64_t> looked_at(std::int64_t horizon, std::mt19937_64& random) {
  std::vector<std::int64_t> iterations;
  const auto last = std::min<std::int64_t>(horizon, std::int64_t{1} << 40);
  for (std::int64_t k = 0; k < std::min<std::int64_t>(last, 40); ++k) iterations.push_back(k);
  for (int i = 0; i < 10; ++i)
    iterations.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(last)));
  for (std::int64_t k = std::max<std::int64_t>(0, last - 3); k < last; ++k) iterations.push_back(k);
  return iterations;
}

/// @return  how often the operation's motion was known
int expect_motion(const Moved& moved, int tries) {
  std::mt19937_64 random(static_cast<std::uint64_t>(moved.operation.op) * 1000 +
                         static_cast<std::uint64_t>(moved.operation.type.bits) * 8 +
                         static_cast<std::uint64_t>(moved.operation.type.kind));
  int known = 0;
  for (int i = 0; i < tries; ++i) {
    const auto start = drawn(moved, random);
    isa::Horizon horizon;
    const auto motion = isa::motion_of(moved.operation, start.inputs, start.motions, horizon);
    if (!motion) continue;
    ++known;
    const auto first = result_at(moved, start, 0);
    for (const auto k : looked_at(horizon.iterations, random)) {
      const auto off =
          isa::truncated(result_at(moved, start, k) - first - static_cast<std::uint64_t>(k) * motion->stride,
                         moved.operation.result.bits);
      const bool holds = k < motion->holds.iterations;
      EXPECT_EQ(holds ? off : off % 256, 0U) << shown(moved, start) << fmt::format(", k = {}", k);
      if (::testing::Test::HasFailure()) return known;
    }
  }
  return known;
}

constexpr isa::Type kTypes[] = {{Kind::Signed, 16}, {Kind::Unsigned, 16}, {Kind::Signed, 32},  {Kind::Unsigned, 32},
                                {Kind::Bits, 32},   {Kind::Signed, 64},   {Kind::Unsigned, 64}};

LaneOperation operation(LaneOp op, isa::Type type, isa::Type result) {
  LaneOperation made;
  made.op = op;
  made.type = type;
  made.result = result;
  return made;
}

// Signs, quotients by powers of two, upper words of addresses: bits that rest until the number gets to a multiple.
TEST(LaneMotion, OfUpperBitsIsWhatIterationsDo) {
  for (const auto type : kTypes) {
    EXPECT_GT(expect_motion({operation(LaneOp::ShiftRight, type, type), {type.bits, 32}}, 1500), 100);
    if (type.bits != 64) continue;
    EXPECT_GT(expect_motion({operation(LaneOp::ShiftRight, type, {Kind::Unsigned, 32}), {64, 32}}, 1500), 100);
  }
  const isa::Type word{Kind::Unsigned, 32};
  for (const bool wrap : {false, true}) {
    auto funnel = operation(LaneOp::FunnelLeft, word, word);
    funnel.wrap = wrap;
    EXPECT_GT(expect_motion({funnel, {32, 32, 32}}, 3000), 100);
  }
}

TEST(LaneMotion, OfArithmeticIsWhatIterationsDo) {
  for (const auto type : kTypes) {
    const auto bits = type.bits;
    const std::vector<int> two{bits, bits}, three{bits, bits, bits};
    for (const auto op : {LaneOp::Add, LaneOp::Subtract, LaneOp::Multiply}) {
      EXPECT_GT(expect_motion({operation(op, type, type), two}, 300), 50) << static_cast<int>(op);
    }
    EXPECT_GT(expect_motion({operation(LaneOp::Add, type, type), {bits, bits, 1}}, 300), 50);
    EXPECT_GT(expect_motion({operation(LaneOp::Subtract, type, type), {bits, bits, 1}}, 300), 50);
    EXPECT_GT(expect_motion({operation(LaneOp::MultiplyAdd, type, type), three}, 300), 50);
    EXPECT_GT(expect_motion({operation(LaneOp::Move, type, type), {bits}}, 300), 50);
    EXPECT_GT(expect_motion({operation(LaneOp::Negate, type, type), {bits}}, 300), 50);
    EXPECT_GT(expect_motion({operation(LaneOp::ShiftLeft, type, type), {bits, 32}}, 300), 50);
    EXPECT_GT(expect_motion({operation(LaneOp::Select, type, type), {bits, bits, 1}}, 300), 50);
    EXPECT_GT(expect_motion({operation(LaneOp::Or, type, type), two}, 300), 20);
    EXPECT_GT(expect_motion({operation(LaneOp::And, type, type), two}, 300), 20);
    for (const auto op : {LaneOp::MultiplyHigh, LaneOp::Divide, LaneOp::Minimum, LaneOp::ShiftRight, LaneOp::Xor,
                          LaneOp::ExtractBits, LaneOp::Borrow})
      expect_motion({operation(op, type, op == LaneOp::Borrow ? kOneBit : type), three}, 50);
    if (bits == 64) continue;
    const isa::Type wide{type.kind, 2 * bits};
    EXPECT_GT(expect_motion({operation(LaneOp::MultiplyWide, type, wide), two}, 300), 50);
    EXPECT_GT(expect_motion({operation(LaneOp::MultiplyAddWide, type, wide), {bits, bits, 2 * bits}}, 300), 50);
  }
}

TEST(LaneMotion, OfProductsOf24Bits) {
  for (const auto kind : {Kind::Signed, Kind::Unsigned})
    EXPECT_GT(expect_motion({operation(LaneOp::Multiply, {kind, 24}, {kind, 32}), {32, 32}}, 300), 50);
}

TEST(LaneMotion, OfConversions) {
  for (const auto from : kTypes)
    for (const auto to : kTypes) {
      auto made = operation(LaneOp::Convert, from, to);
      EXPECT_GT(expect_motion({made, {from.bits}}, 300), 50);
      made.saturate = true;
      EXPECT_LT(expect_motion({made, {from.bits}}, 300), 200);  // resting numbers only
    }
}

/// A result in a wider register, as for types of 16 bits or less.
TEST(LaneMotion, OfNarrowResultsHoldsWithinTheirType) {
  std::mt19937_64 random(7);
  for (const auto kind : {Kind::Signed, Kind::Unsigned})
    for (const int bits : {8, 16}) {
      const Moved moved{operation(LaneOp::Convert, {Kind::Signed, 32}, {kind, bits}), {32}};
      for (int i = 0; i < 300; ++i) {
        const auto start = drawn(moved, random);
        isa::Horizon horizon;
        const auto motion = isa::motion_of(moved.operation, start.inputs, start.motions, horizon);
        ASSERT_TRUE(motion);
        const auto at = [&](std::int64_t k) { return *isa::evaluate(moved.operation, inputs_at(moved, start, k)); };
        for (const auto k : looked_at(std::min<std::int64_t>(motion->holds.iterations, 100000), random))
          ASSERT_EQ(isa::truncated(at(k) - at(0) - static_cast<std::uint64_t>(k) * motion->stride, 32), 0U)
              << shown(moved, start) << " " << k;
        if (motion->holds.iterations < 100000) {
          const auto k = motion->holds.iterations;
          EXPECT_NE(isa::truncated(at(k) - at(0) - static_cast<std::uint64_t>(k) * motion->stride, 32), 0U)
              << shown(moved, start) << " " << k;
        }
      }
    }
}

/// A number of a type.
Wide number(std::uint64_t bits, isa::Type type) {
  return type.kind == Kind::Signed ? Wide{isa::sign_extended(bits, type.bits)} : Wide{isa::truncated(bits, type.bits)};
}

bool is_within(Wide value, isa::Type type) {
  const auto low = type.kind == Kind::Signed ? -(Wide{1} << (type.bits - 1)) : Wide{0};
  return value >= low && value < low + (Wide{1} << type.bits);
}

/// A comparison's horizon is the first iteration in which a side wraps around, or less, equal and greater change.
TEST(LaneMotion, OfComparisonsEndsWhereTheyMayChange) {
  std::mt19937_64 random(11);
  for (const auto type : kTypes)
    for (const auto comparison : {isa::Comparison::Less, isa::Comparison::Equal, isa::Comparison::GreaterEqual}) {
      Moved moved{operation(LaneOp::Compare, type, kOneBit), {type.bits, type.bits}};
      moved.operation.comparison = comparison;
      EXPECT_GT(expect_motion(moved, 300), 250);
      for (int i = 0; i < 300; ++i) {
        const auto start = drawn(moved, random);
        isa::Horizon horizon;
        ASSERT_TRUE(isa::motion_of(moved.operation, start.inputs, start.motions, horizon));
        const auto step = [&](std::size_t side) {
          return Wide{isa::sign_extended(start.motions[side].stride, type.bits)};
        };
        const auto at = [&](std::size_t side, std::int64_t k) {
          return number(start.inputs[side], type) + step(side) * k;
        };
        const auto order = [&](std::int64_t k) { return at(0, k) < at(1, k) ? -1 : at(0, k) > at(1, k) ? 1 : 0; };
        const auto k = horizon.iterations;
        if (k == isa::Horizon::kEndless) {
          EXPECT_TRUE(type.bits == 64 || (step(0) == 0 && step(1) == 0)) << shown(moved, start);
          continue;
        }
        EXPECT_TRUE(order(k) != order(k - 1) || !is_within(at(0, k), type) || !is_within(at(1, k), type))
            << shown(moved, start) << " " << k;
        EXPECT_TRUE(order(k - 1) == order(0) && is_within(at(0, k - 1), type) && is_within(at(1, k - 1), type))
            << shown(moved, start) << " " << k;
      }
    }
}

TEST(LaneMotion, OfCarriesEndsWhereTheyChange) {
  std::mt19937_64 random(13);
  for (const int bits : {32, 64}) {
    const isa::Type type{Kind::Unsigned, bits};
    const Moved moved{operation(LaneOp::Carry, type, kOneBit), {bits, bits}};
    EXPECT_GT(expect_motion(moved, 300), 250);
    for (int i = 0; i < 300; ++i) {
      const auto start = drawn(moved, random);
      isa::Horizon horizon;
      ASSERT_TRUE(isa::motion_of(moved.operation, start.inputs, start.motions, horizon));
      const auto k = horizon.iterations;
      if (k == isa::Horizon::kEndless) continue;
      const auto at = [&](std::size_t side, std::int64_t iteration) {
        return number(start.inputs[side], type) +
               Wide{isa::sign_extended(start.motions[side].stride, bits)} * iteration;
      };
      const auto carries = [&](std::int64_t iteration) {
        return at(0, iteration) + at(1, iteration) >= Wide{1} << bits;
      };
      EXPECT_TRUE(carries(k) != carries(k - 1) || !is_within(at(0, k), type) || !is_within(at(1, k), type))
          << shown(moved, start) << " " << k;
    }
  }
}

/// Results of a number that holds for some iterations hold as long; where the last byte would not, the motion ends.
TEST(LaneMotion, OfWhatHoldsForAWhile) {
  const isa::Type word{Kind::Unsigned, 32};
  const std::uint64_t inputs[] = {5, 3};
  const Motion motions[] = {{4, {10}}, {1, {7}}};
  isa::Horizon horizon;
  const auto sum = isa::motion_of(operation(LaneOp::Add, word, word), inputs, motions, horizon);
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->stride, 5U);
  EXPECT_EQ(sum->holds.iterations, 7);
  EXPECT_EQ(horizon.iterations, isa::Horizon::kEndless);
  const auto wide =
      isa::motion_of(operation(LaneOp::Convert, word, {Kind::Unsigned, 64}), {inputs, 1}, {motions, 1}, horizon);
  ASSERT_TRUE(wide);
  EXPECT_EQ(horizon.iterations, 10);
  EXPECT_EQ(isa::while_in_range(0, 1, 8), 256);
  EXPECT_EQ(isa::while_in_range(250, 3, 8), 2);
  EXPECT_EQ(isa::while_in_range(7, static_cast<std::uint64_t>(-2), 8), 4);
  EXPECT_EQ(isa::while_in_range(7, 0, 8), isa::Horizon::kEndless);
}

TEST(LaneMotion, OfAddressesOfAWindow) {
  auto made = operation(LaneOp::ToGeneric, {Kind::Unsigned, 64}, {Kind::Unsigned, 64});
  made.window = isa::kSharedWindow;
  for (const auto op : {LaneOp::ToGeneric, LaneOp::FromGeneric}) {
    made.op = op;
    const std::uint64_t address[] = {op == LaneOp::ToGeneric ? 64 : 64 | isa::kSharedWindow};
    const Motion motion[] = {{16, {}}};
    isa::Horizon horizon;
    const auto moved = isa::motion_of(made, address, motion, horizon);
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->stride, 16U);
    EXPECT_EQ(moved->holds.iterations, isa::Horizon::kEndless);
  }
}

/// A word that wraps around goes on as before: a loop is closed once, however often it wraps.
TEST(LaneMotion, OfAWordThatWrapsAroundGoesOn) {
  const auto made = import(
      "ld.param.u64 %rd1, [p]; mov.u32 %r1, 0; mov.u32 %r2, 5;\n"
      "LOOP: cvt.u64.u32 %rd2, %r2; add.s64 %rd3, %rd1, %rd2; st.global.u8 [%rd3], %r1; add.u32 %r2, %r2, 0x10000000;\n"
      "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 1000; @%p1 bra LOOP; ret;");
  EXPECT_EQ(executed(made, "global.store"), 1000);
  EXPECT_GT(made.report.closed_iterations, 990);
}

/// Numbers at moving places may be alike for a while.
TEST(LaneMotion, OfLoadsFromPlacesThatMoveIsExecutedOneByOne) {
  const auto told = lanes_tell(
      "mov.u64 %d0, table; mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
      "LOOP: mad.wide.u32 %d1, %r1, 4, %d0; ld.const.u32 %r3, [%d1]; add.u32 %r2, %r2, %r3; add.u32 %r1, %r1, 1;\n"
      "setp.lt.u32 %p1, %r1, 8; @%p1 bra LOOP;\n" +
          tell("%r2"),
      {}, ".const .align 4 .b32 table[] = {5, 5, 5, 5, 9, 5, 5, 5};\n");
  EXPECT_EQ(told[0][0], 44U);
}

/// A moving index of a table sends each iteration elsewhere: no iteration stands for a second.
TEST(LaneMotion, OfATablesIndexIsExecutedOneByOne) {
  const auto told = lanes_tell(
      "mov.u32 %r1, 0; mov.u32 %r2, 0;\nTABLE: .branchtargets A, A, A, A, A, A, B, A;\n"
      "LOOP: brx.idx %r1, TABLE;\nA: add.u32 %r2, %r2, 1; bra NEXT;\nB: add.u32 %r2, %r2, 100;\n"
      "NEXT: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 8; @%p1 bra LOOP;\n" +
          tell("%r2"),
      {});
  EXPECT_EQ(told[0][5], 107U);
}

}  // namespace
}  // namespace warpipe::test
