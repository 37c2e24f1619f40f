#include "statistics.hpp"

#include <gmock/gmock.h>

namespace measure {
namespace {

using testing::DoubleEq;

TEST(Median, IsTheMiddleValueOrTheMeanOfTheTwo) {
  EXPECT_THAT(median({5, 1, 3}), DoubleEq(3));
  EXPECT_THAT(median({4, 1, 3, 2}), DoubleEq(2.5));
  EXPECT_THAT(median({}), DoubleEq(0));
}

TEST(Summary, SpreadIsTheRangeInPartsOfTheMedian) {
  const Summary summary = summarize({10, 12, 11});
  EXPECT_THAT(summary.median, DoubleEq(11));
  EXPECT_THAT(summary.spread, DoubleEq(2.0 / 11));
}

TEST(Summary, OfNothingOrOfZerosHasNoSpread) {
  EXPECT_THAT(summarize({}).spread, DoubleEq(0));
  EXPECT_THAT(summarize({-1, 0, 1}).spread, DoubleEq(0));
}

TEST(UnitSpans, GoFromTheFirstStartToTheLastStopOfAUnit) {
  // Unit 7: 100 to 190. Unit 3: 1000 to 1060, by a clock of its own.
  const UnitSpans spans =
      unit_spans({{100, 180, 7, true}, {1010, 1060, 3, true}, {110, 190, 7, true}, {1000, 1050, 3, true}}, 2);
  EXPECT_EQ(spans.full_units, 2);
  EXPECT_THAT(spans.median_cycles, DoubleEq(75));  // (90 + 60) / 2
  EXPECT_THAT(spans.longest_cycles, DoubleEq(90));
  EXPECT_TRUE(spans.together);
}

TEST(UnitSpans, LeaveOutUnitsThatHeldOtherNumbersOfWarps) {
  const UnitSpans spans = unit_spans(
      {{0, 10, 0, true}, {0, 10, 0, true}, {0, 500, 1, true}, {0, 10, 2, true}, {0, 10, 2, true}, {0, 10, 2, true}}, 2);
  EXPECT_EQ(spans.full_units, 1);
  EXPECT_THAT(spans.longest_cycles, DoubleEq(10));
}

TEST(UnitSpans, SeeGroupsThatDidNotMeetInAFullUnit) {
  EXPECT_FALSE(unit_spans({{0, 100, 0, true}, {100, 200, 0, false}}, 2).together);
  EXPECT_TRUE(unit_spans({{0, 100, 0, true}, {100, 200, 0, true}}, 2).together);
  EXPECT_TRUE(unit_spans({{0, 100, 0, true}, {100, 200, 0, true}, {0, 100, 1, false}}, 2).together);
}

TEST(UnitSpans, AreNothingWithoutAFullUnit) {
  const UnitSpans spans = unit_spans({{0, 10, 0, true}}, 2);
  EXPECT_EQ(spans.full_units, 0);
  EXPECT_FALSE(spans.together);
}

}  // namespace
}  // namespace measure
