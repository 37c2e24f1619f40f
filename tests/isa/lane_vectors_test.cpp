#include "lane_vectors.hpp"

#include <gtest/gtest.h>

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

/// Edges of the types and others; those of few values meet, as factors, distances and truths do.
std::uint64_t drawn_number(Random& random) {
  const auto edge = std::uint64_t{1} << one_of({0, 7, 8, 15, 16, 31, 32, 63}, random);
  return one_of<std::uint64_t>({0, 1, edge, edge - 1, ~edge, ~std::uint64_t{0}, random() % 70, random()}, random);
}

/// Whether an operation takes a sum's third input, a join's or none beside those it takes at least.
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
      inputs[i][lane] = isa::truncated(drawn_number(random), bits_of_input(operation, i));
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
  // All that is within a lane, up to the conversions.
  for (auto op = LaneOp::Move; op <= LaneOp::Convert; op = static_cast<LaneOp>(static_cast<int>(op) + 1))
    for (int i = 0; i < 400 && !HasFailure(); ++i) expect_as_lane_by_lane(drawn_operation(op, random), random);
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
