#include "lanes/lane_vectors.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace warpipe::test {
namespace {

using isa::LaneOp, isa::LaneOperation, isa::Type;
using Kind = Type::Kind;
using Random = std::mt19937_64;

template <class Value>
Value one_of(std::initializer_list<Value> values, Random& random) {
  return *(values.begin() + random() % values.size());
}

bool draw(Random& random) { return random() % 2 == 0; }

Type drawn_type(Random& random) {
  return {one_of({Kind::Signed, Kind::Unsigned, Kind::Bits}, random), one_of({8, 16, 32, 64}, random)};
}

LaneOperation drawn_operation(LaneOp op, Random& random) {
  LaneOperation operation;
  operation.op = op;
  operation.type = operation.result = drawn_type(random);
  if (op == LaneOp::Convert) operation.result = drawn_type(random);
  if (op == LaneOp::MultiplyWide || op == LaneOp::MultiplyAddWide) {
    operation.type.bits /= 2;
  }
  if (op == LaneOp::Compare && draw(random)) operation.result = {Kind::Predicate, 1};
  operation.comparison = one_of({isa::Comparison::Equal, isa::Comparison::NotEqual, isa::Comparison::Less,
                                 isa::Comparison::LessEqual, isa::Comparison::Greater, isa::Comparison::GreaterEqual},
                                random);
  operation.opposite = draw(random);
  operation.saturate = op == LaneOp::Add && random() % 8 == 0;
  if (op == LaneOp::Compare && random() % 4 == 0)
    operation.join = one_of({isa::Join::And, isa::Join::Or, isa::Join::Xor}, random);
  return operation;
}

/// Operations on floats, in loops and not: other roundings, saturation and flushed comparisons go lane by lane.
LaneOperation drawn_operation_of_floats(Random& random) {
  LaneOperation operation;
  operation.op =
      one_of({LaneOp::Add, LaneOp::Subtract, LaneOp::Multiply, LaneOp::MultiplyAdd, LaneOp::Compare}, random);
  operation.type = operation.result = {Kind::Float, one_of({32, 64}, random)};
  if (operation.op == LaneOp::Compare && random() % 8 != 0) operation.result = {Kind::Predicate, 1};
  operation.comparison =
      one_of({isa::Comparison::Equal, isa::Comparison::NotEqual, isa::Comparison::Less, isa::Comparison::LessEqual,
              isa::Comparison::Greater, isa::Comparison::GreaterEqual, isa::Comparison::BothNumbers},
             random);
  operation.opposite = draw(random);
  operation.unordered = draw(random);
  if (operation.op == LaneOp::Compare) return operation;
  operation.to_float = one_of({isa::Rounding::Nearest, isa::Rounding::Nearest, isa::Rounding::Zero}, random);
  operation.saturate = random() % 8 == 0;
  operation.flush = random() % 8 == 0;
  return operation;
}

/// Edges of the type and random numbers; NaN in a single form.
std::uint64_t drawn_float(int bits, Random& random) {
  const double edge = one_of({0.0, -0.0, 1.0, -1.0, 1.5, 1e-40, -3e-39, 1e30, 3.4e38, 1e300, 5e-324, HUGE_VAL,
                              -HUGE_VAL, std::numeric_limits<double>::quiet_NaN()},
                             random);
  const double other = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 120) - 110);
  const double number = draw(random) ? edge : draw(random) ? other : -other;
  if (bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
  return std::bit_cast<std::uint64_t>(number);
}

/// Edges of the types and random numbers; numbers out of a few values meet, as factors, distances and truths do.
std::uint64_t drawn_number(Random& random) {
  const auto edge = std::uint64_t{1} << one_of({0, 7, 8, 15, 16, 31, 32, 63}, random);
  return one_of<std::uint64_t>({0, 1, edge, edge - 1, ~edge, ~std::uint64_t{0}, random() % 70, random()}, random);
}

/// The least number of inputs, and a further input for a join or, at random, for a carry.
std::size_t drawn_inputs(const LaneOperation& operation, Random& random) {
  const auto least = isa::inputs_of(operation.op);
  if (operation.join != isa::Join::None) return least + 1;
  const bool carries = operation.op == LaneOp::Add || operation.op == LaneOp::Subtract;
  return least + (carries && random() % 4 == 0 ? 1 : 0);
}

/// The last input of a Select is a truth.
int bits_of_input(const LaneOperation& operation, std::size_t index) {
  if (operation.op == LaneOp::Select && index == 2) return 1;
  const bool sum = (operation.op == LaneOp::MultiplyAddWide && index == 2);
  return sum ? operation.result.bits : operation.type.bits;
}

void expect_as_lane_by_lane(const LaneOperation& operation, Random& random) {
  const std::size_t lanes = one_of<std::size_t>({32, 64}, random);
  const auto count = drawn_inputs(operation, random);
  std::vector<isa::LaneNumbers> inputs(count);
  std::vector<const std::uint64_t*> vectors;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
      inputs[i][lane] = operation.type.kind == Kind::Float
                            ? drawn_float(operation.type.bits, random)
                            : isa::truncated(drawn_number(random), bits_of_input(operation, i));
    vectors.push_back(inputs[i].data());
  }
  const auto mask = (draw(random) ? ~std::uint64_t{0} : random()) >> (64 - lanes);
  isa::LaneNumbers results{};
  const bool whole = isa::evaluate_lanes(operation, vectors, mask, lanes, results);
  for (std::size_t lane = 0; whole && lane < lanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    std::vector<std::uint64_t> own;
    for (const auto& input : inputs) own.push_back(input[lane]);
    ASSERT_EQ(results[lane], isa::evaluate(operation, own))
        << "op " << static_cast<int>(operation.op) << " of " << operation.type.bits << " bits, kind "
        << static_cast<int>(operation.type.kind) << ", to " << operation.result.bits << " bits, lane " << lane;
  }
  EXPECT_TRUE(whole || operation.op == LaneOp::Divide || operation.op == LaneOp::Remainder);
}

TEST(LaneVectors, HoldWhatEachLaneGivesAlone) {
  Random random(20);
  // All operations within a lane, up to the conversions.
  for (auto op = LaneOp::Move; op <= LaneOp::Convert; op = static_cast<LaneOp>(static_cast<int>(op) + 1))
    for (int i = 0; i < 400 && !HasFailure(); ++i) expect_as_lane_by_lane(drawn_operation(op, random), random);
}

TEST(LaneVectors, HoldWhatEachLaneGivesAloneOfWords) {
  Random random(22);
  for (const auto op : {LaneOp::Logic3, LaneOp::FunnelLeft, LaneOp::FunnelRight})
    for (int i = 0; i < 400 && !HasFailure(); ++i) {
      LaneOperation operation;
      operation.op = op;
      operation.type = operation.result = {Kind::Bits, 32};
      operation.wrap = draw(random);
      expect_as_lane_by_lane(operation, random);
    }
}

TEST(LaneVectors, HoldWhatEachLaneGivesAloneOfFloats) {
  Random random(21);
  for (int i = 0; i < 4000 && !HasFailure(); ++i) expect_as_lane_by_lane(drawn_operation_of_floats(random), random);
}

TEST(LaneVectors, DivideInTheirOwnLanesOnly) {
  const LaneOperation quotient{.op = LaneOp::Divide, .type = {Kind::Unsigned, 32}, .result = {Kind::Unsigned, 32}};
  isa::LaneNumbers dividends{}, divisors{}, results{};
  dividends.fill(12);
  divisors.fill(4);
  divisors[7] = 0;
  const std::vector<const std::uint64_t*> inputs{dividends.data(), divisors.data()};
  EXPECT_TRUE(isa::evaluate_lanes(quotient, inputs, 0xffffff7f, 32, results));
  EXPECT_EQ(results[31], 3U);
  EXPECT_FALSE(isa::evaluate_lanes(quotient, inputs, 0xffffffff, 32, results));
}

}  // namespace
}  // namespace warpipe::test
