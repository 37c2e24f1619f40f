// How addresses are found and written.
#include <gmock/gmock.h>

#include "kernel/address_text.hpp"
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

class AddressText : public testing::Test {
 protected:
  Form variable(Place place, std::uint32_t number, std::int64_t last) {
    return forms_.variable({place, number}, {0, last});
  }
  std::string text(std::int64_t constant, const Terms& terms, const std::vector<LoopText>& loops = {{0, "k", ""}},
                   std::optional<Form> made = {}) {
    const AddressForm form{0, forms_.linear(constant, terms), made};
    return address_text(forms_, form, 4, kBlock, loops).value_or("none");
  }

  Forms forms_;
  const Form x_ = variable(Place::Thread, 0, 15), y_ = variable(Place::Thread, 1, 7),
             group_x_ = variable(Place::Group, 0, 99), group_y_ = variable(Place::Group, 1, 99),
             trip_ = variable(Place::Trip, 0, 999);
};

TEST_F(AddressText, TakesTheWidthOutWhereAllCanBeDividedByIt) {
  EXPECT_EQ(text(0, {}), "0");
  EXPECT_EQ(text(12, {}), "12");
  EXPECT_EQ(text(0, {{x_, 4}}), "4 * thread_x");
  EXPECT_EQ(text(8, {{x_, 4}}), "4 * (thread_x + 2)");
  EXPECT_EQ(text(6, {{x_, 4}}), "4 * thread_x + 6");
  EXPECT_EQ(text(-8, {{x_, -4}}), "4 * (-thread_x - 2)");
}

TEST_F(AddressText, CountsThreadsOverGroupsWhereItCan) {
  EXPECT_EQ(text(0, {{x_, 4}, {group_x_, 64}}), "4 * (16 * group_x + thread_x)");
  EXPECT_EQ(text(0, {{y_, 400}, {group_y_, 3200}, {x_, 4}}), "4 * (100 * (8 * group_y + thread_y) + thread_x)");
  EXPECT_EQ(text(0, {{x_, 4}, {group_x_, 60}}), "4 * (15 * group_x + thread_x)");
}

TEST_F(AddressText, SaysWhereAPartOfALoopBegins) {
  EXPECT_EQ(text(0, {{trip_, 4}}, {{3, "k", ""}}), "4 * (k + 3)");
  EXPECT_EQ(text(0, {{trip_, 4}}, {{3, "", ""}}), "12");
  EXPECT_EQ(text(0, {{trip_, 8}}, {{0, "k", "(warp < 2) * 5"}}), "4 * (2 * k + 2 * ((warp < 2) * 5))");
}

TEST_F(AddressText, HasQuotientsAndRemainders) {
  const auto quarter = forms_.quotient(x_, 4), rest = forms_.remainder(x_, 4);
  EXPECT_EQ(text(0, {{rest, 4}, {quarter, 400}}), "4 * (100 * floor(thread_x / 4) + mod(thread_x, 4))");
  const auto over = forms_.sum(x_, y_);
  EXPECT_EQ(text(0, {{forms_.quotient(over, 3), 8}}), "8 * floor((thread_y + thread_x) / 3)");
  EXPECT_EQ(text(0, {{forms_.remainder(trip_, 3), 4}}, {{2, "k", ""}}), "4 * mod(k + 2, 3)");
  EXPECT_EQ(text(0, {{forms_.remainder(trip_, 3), 4}}, {{4, "", ""}}), "4");
}

// A clamped border, a diagonal, a choice of two.
TEST_F(AddressText, HasWhatIsNoSumOfDigits) {
  EXPECT_EQ(text(0, {{forms_.greatest(forms_.plus(x_, -1), forms_.constant(0)), 4}}), "4 * max(thread_x - 1, 0)");
  EXPECT_EQ(text(0, {{forms_.remainder(forms_.sum(group_x_, group_y_), 24), 128}}), "128 * mod(group_y + group_x, 24)");
  const auto is_high = forms_.not_negative(forms_.plus(x_, -10));
  EXPECT_EQ(text(0, {{forms_.choice(is_high, y_, forms_.scaled(x_, 3)), 4}}),
            "4 * ((10 <= thread_x) * (thread_y - 3 * thread_x) + 3 * thread_x)");
}

TEST_F(AddressText, IsNowhereInLanesThatTakeNoPart) {
  const auto is_high = forms_.not_negative(forms_.plus(x_, -10)), is_two = forms_.zero(forms_.plus(x_, -2));
  EXPECT_EQ(text(0, {{x_, 4}}, {}, is_high), "(10 <= thread_x) * (4 * thread_x + 1) - 1");
  EXPECT_EQ(text(0, {{x_, 4}}, {}, forms_.negation(is_high)), "(10 > thread_x) * (4 * thread_x + 1) - 1");
  EXPECT_EQ(text(0, {{x_, 4}}, {}, forms_.negation(is_two)), "(2 != thread_x) * (4 * thread_x + 1) - 1");
}

// x and y have bits 0 to 2 in common.
TEST_F(AddressText, HasTheBitsOfTwoNumbersOneByOne) {
  EXPECT_EQ(text(0, {{forms_.common(forms_.remainder(x_, 4), y_), 1}}),
            "mod(thread_y, 2) * mod(thread_x, 2) + 2 * mod(floor(thread_y / 2), 2) * floor(mod(thread_x, 4) / 2)");
}

}  // namespace
}  // namespace warpipe::isa
