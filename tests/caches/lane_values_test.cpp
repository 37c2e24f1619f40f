#include "lane_values.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kLanes = 4;
const std::vector<std::string> kCoordinates{"g", "k"};
const std::vector<std::string> kNames{"lane", "n", "g", "k"};

/// An expression for four lanes.
class Lanes {
 public:
  explicit Lanes(const Expression& expression) : operations_(operations_of(expression)) {}
  const LaneForm* over(std::span<const Range> ranges) { return values_.over(ranges); }
  std::span<const double> obstacle() const { return values_.obstacle(); }
  const std::optional<Cut>& cut() const { return values_.cut(); }

 private:
  std::vector<Operation> operations_;
  LaneNames names_{kLanes, {{"lane", {0, 1, 2, 3}}, {"n", {24}}}};
  LaneRoom room_;
  LaneValues values_{operations_, names_, kCoordinates, room_};
};

/// The form of an expression over ranges of g and k: "0 4 8 12 + 16 g + 0 k"; empty where there is none.
std::string form(const std::string& text, Range g = {0, 7}, Range k = {0, 7}) {
  Lanes values(Expression::parse(text, kNames));
  const std::array ranges{g, k};
  const LaneForm* const form = values.over(ranges);
  if (!form) return "";
  const std::string stays = form->stays.empty() ? "" : fmt::format(", stays {}", fmt::join(form->stays, " "));
  return fmt::format("{} + {} g + {} k{}", fmt::join(form->at, " "), form->steps[0], form->steps[1], stays);
}

TEST(LaneValues, AreSumsWhereTheExpressionIsOne) {
  EXPECT_EQ(form("4 * (n * g + lane) - k"), "0 4 8 12 + 96 g + -1 k");
  EXPECT_EQ(form("-(lane - g) / 2"), "0 -0.5 -1 -1.5 + 0.5 g + 0 k");
  EXPECT_EQ(form("lane * (g - g)"), "0 0 0 0 + 0 g + 0 k");
}

TEST(LaneValues, RoundingKeepsWholeSteps) {
  EXPECT_EQ(form("floor((lane + 4 * g) / 2)"), "0 0 1 1 + 2 g + 0 k");
  EXPECT_EQ(form("ceil((lane + 2 * k) / 2)"), "0 1 1 2 + 0 g + 1 k");
  EXPECT_EQ(form("floor(k / 8)"), "0 0 0 0 + 0 g + 0 k");
  EXPECT_EQ(form("floor(k / 4)"), "");
  EXPECT_EQ(form("floor(k / 4)", {0, 7}, {4, 7}), "1 1 1 1 + 0 g + 0 k");
}

TEST(LaneValues, FoldsAreFollowedWithinAFold) {
  EXPECT_EQ(form("mod(lane + 8 * g, 4)"), "0 1 2 3 + 0 g + 0 k");
  EXPECT_EQ(form("mod(k, 8)"), "0 0 0 0 + 0 g + 1 k");
  EXPECT_EQ(form("mod(k, 4)"), "");
  EXPECT_EQ(form("mod(k, 4)", {0, 7}, {4, 7}), "-4 -4 -4 -4 + 0 g + 1 k");
}

// 21e14 is a multiple of 3, 2^60 is a multiple plus 1, and a third of it no double.
TEST(LaneValues, RestsAreExactOfLargeNumbersAndOfParts) {
  const Range multiple{21e14, 21e14}, large{0x1p60, 0x1p60}, point{0, 0};
  EXPECT_EQ(form("mod(g - lane, 3)", multiple), "0 2 1 0 + 0 g + 0 k");
  EXPECT_EQ(form("mod(lane - g, 3)", multiple), "0 1 2 0 + 0 g + 0 k");
  EXPECT_EQ(form("mod(g, 3) + lane", large), "1 2 3 4 + 0 g + 0 k");
  EXPECT_EQ(form("mod(g + lane / 2, 1)", point), "0 0.5 0 0.5 + 0 g + 0 k");
}

TEST(LaneValues, WholeStepsAndMultiplesOfTheDivisorDoNotMatterToRoundingAndFolds) {
  EXPECT_EQ(form("floor(g + k / 8)"), "0 0 0 0 + 1 g + 0 k");
  EXPECT_EQ(form("ceil((4 * lane + 4 * g + k) / 4)", {0, 7}, {1, 4}), "1 2 3 4 + 1 g + 0 k");
  EXPECT_EQ(form("mod(k + 8 * g, 8)"), "0 0 0 0 + 0 g + 1 k");
  EXPECT_EQ(form("mod(k + 8 * g, 16)", {2, 2}), "0 0 0 0 + 0 g + 1 k");
}

/// Steps in g and in k of the obstacle to a form of the expression over {0, 7}.
std::vector<double> obstacle(const std::string& text) {
  Lanes values(Expression::parse(text, kNames));
  const std::array ranges{Range{0, 7}, Range{0, 7}};
  EXPECT_EQ(values.over(ranges), nullptr) << text;
  const std::span<const double> steps = values.obstacle();
  return {steps.begin(), steps.end()};
}

TEST(LaneValues, TellWhichCoordinatesHinderThem) {
  using Steps = std::vector<double>;
  EXPECT_EQ(obstacle("n * g + min(lane + k, 5)"), (Steps{0, 1}));
  EXPECT_EQ(obstacle("n * g + (3 * k - g < 5)"), (Steps{1, 3}));
  EXPECT_EQ(obstacle("floor(g + k / 4)"), (Steps{0, 0.25}));
  EXPECT_EQ(obstacle("mod(8 * g + k, 4)"), (Steps{0, 1}));
  EXPECT_EQ(obstacle("g + abs(2 * k - 3)"), (Steps{0, 2}));
  EXPECT_EQ(obstacle("g * k"), (Steps{1, 1}));
  EXPECT_EQ(obstacle("g > 9 || k"), (Steps{0, 1}));
  EXPECT_EQ(obstacle("g + lane / k"), (Steps{0, 1}));
  EXPECT_EQ(obstacle("g / 0"), (Steps{0, 0})) << "it has no value";
}

TEST(LaneValues, BordersAreFollowedOnOneSide) {
  EXPECT_EQ(form("max(0, g - 1)"), "");
  EXPECT_EQ(form("max(0, g - 1)", {1, 7}), "-1 -1 -1 -1 + 1 g + 0 k");
  EXPECT_EQ(form("min(n, lane + g)"), "0 1 2 3 + 1 g + 0 k");
  EXPECT_EQ(form("min(2, lane)"), "0 1 2 2 + 0 g + 0 k");
  EXPECT_EQ(form("max(lane, 2) + g"), "2 2 2 3 + 1 g + 0 k");
  EXPECT_EQ(form("(g < 8) * lane + (k >= 1)"), "");
  EXPECT_EQ(form("(g < 8) * lane + (k >= 1)", {0, 7}, {1, 7}), "1 2 3 4 + 0 g + 0 k");
  EXPECT_EQ(form("g == 8 || lane == 1 && k != 9"), "0 1 0 0 + 0 g + 0 k");
  EXPECT_EQ(form("abs(g - 7)"), "7 7 7 7 + -1 g + -0 k");
}

TEST(LaneValues, LanesWithoutAFactorStay) {
  EXPECT_EQ(form("(lane < 2) * (4 * g + 1) - 1"), "0 0 -1 -1 + 4 g + 0 k, stays 0 0 1 1");
  EXPECT_EQ(form("(lane < 3) * ((lane > 0) * (lane + k + 1)) - 1"), "-1 1 2 -1 + 0 g + 1 k, stays 1 0 0 1");
  EXPECT_EQ(form("(g < 8) * (lane != 1) * 3 * k"), "0 0 0 0 + 0 g + 3 k, stays 0 1 0 0");
  EXPECT_EQ(form("(lane < 2) * g + (lane < 2) * k"), "0 0 0 0 + 1 g + 1 k, stays 0 0 1 1");
  EXPECT_EQ(form("(lane < 2) * g + k"), "") << "two movements";
  EXPECT_EQ(form("(lane < 2) * g < 9"), "") << "no rule";
  EXPECT_EQ(form("(lane - 1) * g"), "") << "two factors";
  EXPECT_EQ(form("g / (lane < 2)"), "") << "no value";
}

/// Where ranges of 0 to 7 are cut for the expression: "g 3".
std::string cut(const std::string& text) {
  Lanes values(Expression::parse(text, kNames));
  const std::array ranges{Range{0, 7}, Range{0, 7}};
  EXPECT_EQ(values.over(ranges), nullptr) << text;
  return values.cut() ? fmt::format("{} {}", kCoordinates[values.cut()->coordinate], values.cut()->second) : "";
}

TEST(LaneValues, AreCutWhereAComparisonChangesItsAnswer) {
  EXPECT_EQ(cut("g < 5"), "g 5");
  EXPECT_EQ(cut("5 >= k"), "k 6");
  EXPECT_EQ(cut("2 * g + lane < 10"), "g 4") << "2 g + 3 < 10 up to 3, 2 g + 0 < 10 up to 4";
  EXPECT_EQ(cut("10 - 2 * g + lane > 0"), "g 5") << "10 - 2 g > 0 up to 4, 13 - 2 g > 0 up to 6";
  EXPECT_EQ(cut("6 - 2 * g - lane > 0"), "g 3") << "above 0 in no lane from 3 on, in all up to 1";
  EXPECT_EQ(cut("100 * g + k < 103"), "g 2") << "g = 0 and g >= 2 are sure; of 2 to 7 there are more";
  EXPECT_EQ(cut("g - k < 0"), "g 7") << "only 7 is above each k";
  EXPECT_EQ(cut("g - 2 * k < -2"), "k 5") << "2 k exceeds 7 + 2 from 5 on";
  EXPECT_EQ(cut("mod(g, 4)"), "") << "no comparison";
}

TEST(LaneValues, AProductOfTwoThatMoveHasNoForm) {
  EXPECT_EQ(form("g * k"), "");
  EXPECT_EQ(form("lane * k"), "");  // lanes move apart
  EXPECT_EQ(form("lane * k", {0, 7}, {3, 3}), "0 3 6 9 + 0 g + 0 k");
}

TEST(LaneValues, AnExpressionWithoutAValueHasNoForm) {
  EXPECT_EQ(form("1 / lane"), "");
  EXPECT_EQ(form("mod(4, g - g)"), "");
  EXPECT_EQ(form("log2(lane)"), "");
  EXPECT_EQ(form("1 / g", {0, 0}), "");
}

/// Random expressions of names, small numbers and all operators.
class RandomExpression {
 public:
  explicit RandomExpression(unsigned seed) : random_(seed) {}

  std::string text(int depth = 4) {
    if (depth == 0 || pick(5) == 0) return pick(2) == 0 ? kNames[pick(kNames.size())] : std::to_string(pick(9));
    const std::string a = text(depth - 1), b = text(depth - 1);
    switch (pick(12)) {
      case 0:
      case 1:
        return fmt::format("({} + {})", a, b);
      case 2:
        return fmt::format("({} - {})", a, b);
      case 3:
        return fmt::format("({} * {})", a, 1 + pick(5));
      case 4:
        return fmt::format("floor({} / {})", a, 1 + pick(8));
      case 5:
        return fmt::format("mod({}, {})", a, 1 + pick(16));
      case 6:
        return fmt::format("min({}, {})", a, b);
      case 7:
        return fmt::format("max({}, {})", a, b);
      case 8:
        return fmt::format("({} {} {})", a, std::array{"<", "<=", ">", ">=", "==", "!="}[pick(6)], b);
      case 9:
        return fmt::format("({} {} {})", a, pick(2) == 0 ? "&&" : "||", b);
      case 10:
        return fmt::format("abs({})", a);
      default:
        return fmt::format("({} * {})", a, b);
    }
  }

  std::size_t pick(std::size_t count) { return random_() % count; }

 private:
  std::mt19937 random_;
};

TEST(LaneValues, AreThoseOfTheExpressionWhereverTheyAre) {
  int with_form = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomExpression random(seed);
    const std::string text = random.text();
    SCOPED_TRACE(text);
    const Expression expression = Expression::parse(text, kNames);
    Lanes values(expression);
    const auto range = [&] {
      const auto least = static_cast<double>(random.pick(6));
      return Range{least, least + static_cast<double>(random.pick(9))};
    };
    const std::array box{range(), range()};
    const LaneForm* const found = values.over(box);
    const std::optional<LaneForm> form = found ? std::optional(*found) : std::nullopt;
    with_form += form ? 1 : 0;
    for (double g = box[0].least; g <= box[0].most; ++g)
      for (double k = box[1].least; k <= box[1].most; ++k) {
        const std::array point{Range{g, g}, Range{k, k}};
        const LaneForm* const here = values.over(point);
        ASSERT_TRUE(here);
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const double expected =
              expression.evaluate({{"lane", static_cast<double>(lane)}, {"n", 24}, {"g", g}, {"k", k}});
          ASSERT_EQ(here->at[lane], expected) << "g " << g << ", k " << k;
          if (form) {
            const bool stays = !form->stays.empty() && form->stays[lane];
            ASSERT_NEAR(form->at[lane] + (stays ? 0 : form->steps[0] * g + form->steps[1] * k), expected, 1e-9)
                << "g " << g << ", k " << k;
          }
        }
      }
  }
  EXPECT_GT(with_form, 1000);
}

}  // namespace
}  // namespace warpipe
