#include "warpipe/sweep/chosen_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/sweep/halving.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Kind = Variation::Kind;

const std::vector<Variation> kVaried{
    {.name = "block", .kind = Kind::Block, .target = {}, .values = {}},
    {.name = "arg.n", .kind = Kind::Argument, .target = "n", .values = {}},
    {.name = "memory/levels/l2/bytes", .kind = Kind::DeviceNumber, .target = {}, .values = {}}};
const std::vector<VariedValue> kPoint{VariedValue(ptx::Dimensions{16, 8, 1}), 1000, 4096};

bool holds(const std::string& text) { return Restriction(text, kVaried).holds(kPoint); }

std::string refused(const std::string& text) {
  try {
    holds(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Restriction, HoldsWhereItsExpressionIsNotZero) {
  EXPECT_TRUE(holds("block * 2 <= n"));
  EXPECT_FALSE(holds("block * 8 <= n"));
  EXPECT_TRUE(holds("block == 128 && n == 1000"));
}

TEST(Restriction, KnowsTheSizesOfABlockAndNamesWithOtherSigns) {
  EXPECT_TRUE(holds("block_x == 16 && block_y == 8 && block_z == 1"));
  EXPECT_TRUE(holds("arg_n == 1000 && memory_levels_l2_bytes == 4096"));
}

TEST(Restriction, SaysWhichNamesVary) {
  EXPECT_THAT(refused("grid < 3"), HasSubstr("`where grid < 3`"));
  EXPECT_THAT(refused("grid < 3"), HasSubstr("block, block_x, block_y, block_z, arg_n, n, memory_levels_l2_bytes"));
}

TEST(Restriction, ComparesNames) {
  const auto devices = *parse_named_variation("device=h100,a 100");
  const std::vector<Variation> varied{devices, kVaried[1]};
  const auto holds_at = [&](const std::string& text, std::size_t device) {
    return Restriction(text, varied).holds({devices.values[device], 1000});
  };
  for (const char* text : {"device == 'h100'", "device==\"h100\"", "device != 'a 100'", "(device == 'h100') && n > 1",
                           "n == 1 || device == 'h100'", "device == 'h100' && device != 'a 100'"}) {
    EXPECT_TRUE(holds_at(text, 0)) << text;
    EXPECT_FALSE(holds_at(text, 1)) << text;
  }
  for (const char* text :
       {"device", "device == h100", "device < 'h100'", "device == 'h100", "'h100' == device", "1 + device == 'h100'",
        "device == 'h100' + 1", "n == '1000'", "device == 'h10'", "'", "=='"})
    EXPECT_THROW(holds_at(text, 0), UsageError) << text;
}

TEST(Restriction, SaysAtWhichPointItHasNoValue) {
  EXPECT_THAT(refused("1 / (n - 1000) > 0"), HasSubstr("block=16x8 arg.n=1000"));
}

std::vector<std::size_t> indices(const ChosenPoints& chosen) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < chosen.size(); ++i) all.push_back(chosen[i]);
  return all;
}

TEST(ChosenPoints, AreAllThatAreWantedInOrder) {
  ChosenPoints chosen(10);
  EXPECT_EQ(chosen.size(), 10u);
  chosen.keep_if([](std::size_t combination) { return combination % 3 == 1; });
  EXPECT_THAT(indices(chosen), ElementsAre(1, 4, 7));
  chosen.keep_if([](std::size_t combination) { return combination > 1; });
  EXPECT_THAT(indices(chosen), ElementsAre(4, 7));
}

TEST(ChosenPoints, KeepTheCheapestInOrder) {
  ChosenPoints chosen(6);
  chosen.keep_if([](std::size_t combination) { return combination > 0; });
  chosen.keep_cheapest(3, {4.0, std::nullopt, 1.0, 2.0, 4.0});
  EXPECT_THAT(indices(chosen), ElementsAre(1, 3, 4)) << "of equals the first";
}

RC_GTEST_PROP(ChosenPointsProperty, AreDrawnWithoutReplacementAndAlikeForASeed, ()) {
  const auto all = *rc::gen::inRange<std::size_t>(1, 300);
  const auto count = *rc::gen::inRange<std::size_t>(1, 300);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  ChosenPoints one(all), other(all);
  one.draw(count, seed);
  other.draw(count, seed);
  const auto drawn = indices(one);
  RC_ASSERT(drawn == indices(other));
  RC_ASSERT(drawn.size() == std::min(all, count));
  RC_ASSERT(std::ranges::is_sorted(drawn) && drawn.back() < all);
  RC_ASSERT(std::set(drawn.begin(), drawn.end()).size() == drawn.size());
}

// 100 draws of 10 of 100: each is drawn 10 times, with a standard deviation of 3.
TEST(ChosenPoints, AreDrawnFromAllParts) {
  std::vector<int> drawn(100, 0);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    ChosenPoints chosen(100);
    chosen.draw(10, seed);
    for (const std::size_t index : indices(chosen)) ++drawn[index];
  }
  EXPECT_THAT(drawn, testing::Each(testing::AllOf(testing::Ge(1), testing::Le(24))));
}

// Six rounds of a sixth of 96 points each: 16 whole points, 32 halves, 64 quarters, ...
TEST(HalvingRungs, CostAlikeAndNoMoreThanTheBudget) {
  EXPECT_THAT(halving_rungs(96, 10'000),
              ElementsAre(Rung{512, 5}, Rung{256, 4}, Rung{128, 3}, Rung{64, 2}, Rung{32, 1}, Rung{16, 0}));
}

// Of 100 points 96 can be halves and then 48 whole points.
TEST(HalvingRungs, BeginWithNoMorePointsThanThereAre) {
  EXPECT_THAT(halving_rungs(96, 100), ElementsAre(Rung{96, 1}, Rung{48, 0}));
  EXPECT_THAT(halving_rungs(96, 50), ElementsAre(Rung{50, 0}));
  EXPECT_THAT(halving_rungs(96, 96), ElementsAre(Rung{96, 0})) << "all whole";
  EXPECT_THAT(halving_rungs(1, 50), ElementsAre(Rung{1, 0}));
}

TEST(Cost, IsTheTimeOrThatOfAnOperationWhereWorkDiffers) {
  Launch launch;
  const std::vector<Variation> policy{{"policy", Variation::Kind::Policy, "", {}}};
  const std::vector<Variation> n{{"n", Variation::Kind::Parameter, "n", {}}};
  EXPECT_EQ(cost_of(3, launch, nullptr, policy), 3);
  EXPECT_EQ(cost_of(3, launch, nullptr, n), std::nullopt);
  launch.bytes = 6;
  EXPECT_EQ(cost_of(3, launch, nullptr, n), 0.5);
  launch.flops = 12;
  EXPECT_EQ(cost_of(3, launch, nullptr, n), 0.25);
}

}  // namespace
}  // namespace warpipe
