// How addresses are found and written.
#include <gmock/gmock.h>

#include "kernel/address_writer.hpp"
#include "survey/linear_system.hpp"

namespace warpipe::isa {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(LinearSystem, IsSolvedWhateverTheOrderOfItsEquations) {
  // 3 x + 5 y = 1, x - y = 3: x = 2, y = -1.
  for (const bool turned : {false, true}) {
    LinearSystem system(2);
    const std::vector<std::int64_t> one{3, 5}, other{1, -1};
    EXPECT_TRUE(turned ? system.add(other, 3) : system.add(one, 1));
    EXPECT_TRUE(turned ? system.add(one, 1) : system.add(other, 3));
    EXPECT_THAT(system.solution(), Optional(ElementsAre(2, -1)));
  }
}

TEST(LinearSystem, TakesWhatItKnowsAndRefusesWhatContradictsIt) {
  LinearSystem system(2);
  const std::vector<std::int64_t> once{1, 2}, twice{2, 4};
  EXPECT_TRUE(system.add(once, 5));
  EXPECT_TRUE(system.add(twice, 10));
  EXPECT_FALSE(system.add(twice, 11));
}

TEST(LinearSystem, LeavesAnUnknownThatNothingIsSaidOfAtZero) {
  LinearSystem system(3);
  const std::vector<std::int64_t> of_the_second{0, 4, 0};
  EXPECT_TRUE(system.add(of_the_second, 12));
  EXPECT_THAT(system.solution(), Optional(ElementsAre(0, 3, 0)));
}

TEST(LinearSystem, HasNoSolutionWhileAnUnknownIsNotWhole) {
  LinearSystem system(2);
  const std::vector<std::int64_t> both{2, 3}, second{0, 1};
  EXPECT_TRUE(system.add(both, 7));
  EXPECT_EQ(system.solution(), std::nullopt);  // x = 3.5 with y = 0
  EXPECT_TRUE(system.add(second, 1));
  EXPECT_THAT(system.solution(), Optional(ElementsAre(2, 1)));
}

TEST(LinearSystem, IsExactForLargeNumbers) {
  LinearSystem system(2);
  const std::int64_t large = std::int64_t{1} << 40;
  const std::vector<std::int64_t> one{large, 1}, other{large - 1, 1};
  EXPECT_TRUE(system.add(one, 3 * large + 7));
  EXPECT_TRUE(system.add(other, 3 * (large - 1) + 7));
  EXPECT_THAT(system.solution(), Optional(ElementsAre(3, 7)));
}

const Dimensions kBlock{16, 8, 1};
constexpr std::size_t kX = kThread, kY = kThread + 1, kGroupX = kGroup, kGroupY = kGroup + 1;

std::string text(std::int64_t constant, std::vector<AddressForm::Term> terms, std::int64_t width = 4,
                 const std::vector<LoopText>& loops = {{0, "k", ""}}) {
  return address_text({0, constant, std::move(terms)}, width, kBlock, loops);
}

TEST(AddressText, TakesTheWidthOutWhereAllCanBeDividedByIt) {
  EXPECT_EQ(text(0, {}), "0");
  EXPECT_EQ(text(12, {}), "12");
  EXPECT_EQ(text(0, {{{kX}, 4}}), "4 * thread_x");
  EXPECT_EQ(text(8, {{{kX}, 4}}), "4 * (thread_x + 2)");
  EXPECT_EQ(text(6, {{{kX}, 4}}), "4 * thread_x + 6");
  EXPECT_EQ(text(-8, {{{kX}, -4}}), "4 * (-thread_x - 2)");
}

TEST(AddressText, CountsThreadsOverGroupsWhereItCan) {
  EXPECT_EQ(text(0, {{{kX}, 4}, {{kGroupX}, 64}}), "4 * (16 * group_x + thread_x)");
  EXPECT_EQ(text(0, {{{kY}, 400}, {{kGroupY}, 3200}, {{kX}, 4}}), "4 * (100 * (8 * group_y + thread_y) + thread_x)");
  EXPECT_EQ(text(0, {{{kX}, 4}, {{kGroupX}, 60}}), "4 * (15 * group_x + thread_x)");
}

TEST(AddressText, SaysWhereAPartOfALoopBegins) {
  EXPECT_EQ(text(0, {{{kLoop}, 4}}, 4, {{3, "k", ""}}), "4 * (k + 3)");
  EXPECT_EQ(text(0, {{{kLoop}, 4}}, 4, {{3, "", ""}}), "12");
  EXPECT_EQ(text(0, {{{kLoop}, 8}}, 4, {{0, "k", "(warp < 2) * 5"}}), "4 * (2 * k + 2 * ((warp < 2) * 5))");
}

TEST(AddressText, JoinsBinaryDigits) {
  // The thread modulo 4, and what is above: 4 (x mod 4) + 400 floor(x / 4).
  EXPECT_EQ(text(0, {{{kX, 1, 2}, 4}, {{kX, 2, 2}, 8}, {{kX, 4, 2}, 400}, {{kX, 8, 0}, 800}}),
            "4 * (mod(thread_x, 4) + 100 * floor(thread_x / 4))");
  EXPECT_EQ(text(0, {{{kX, 2, 2}, 4}}), "4 * mod(floor(thread_x / 2), 2)");
  EXPECT_EQ(text(0, {{{kLoop, 1, 2}, 4}}, 4, {{3, "k", ""}}), "4 * mod(k + 3, 2)");
  EXPECT_EQ(text(0, {{{kLoop, 2, 0}, 4}}, 4, {{3, "k", ""}}), "4 * floor((k + 3) / 2)");
}

}  // namespace
}  // namespace warpipe::isa
