#include "difference.hpp"

#include <gmock/gmock.h>

namespace measure {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::HasSubstr;

Run run(double cycles, double time_us, int units = 4) { return {cycles, time_us, units, true}; }

TEST(Difference, IsTheMedianOfLongLessShort) {
  // The first pair warms up and is not counted: differences 100, 110, 105.
  const double lengthy[] = {9999, 300, 310, 305};
  int pair = 0;
  const auto found = difference(
      3, [] { return run(200, 2); }, [&] { return run(lengthy[pair++], 2.1); });
  EXPECT_THAT(found.cycles, DoubleEq(105));
  EXPECT_THAT(found.spread, DoubleEq(10.0 / 105));
  EXPECT_THAT(found.clock_mhz, DoubleNear(1050, 1e-6));  // 105 cycles in 0.1 us
  EXPECT_EQ(found.problem, "");
}

TEST(Difference, TakesAwayWhatIsInBothRuns) {
  constexpr double kLaunch = 12345;
  const auto found = difference(
      5, [] { return run(kLaunch + 1000, 7 + 1); }, [] { return run(kLaunch + 3000, 7 + 3); });
  EXPECT_THAT(found.cycles, DoubleEq(2000));
  EXPECT_THAT(found.time_us, DoubleEq(2));
}

TEST(Difference, SaysWhyItDoesNotCount) {
  const auto whole = [] { return run(200, 2); };
  const auto apart = [] { return measure::Run{300, 3, 4, false}; };
  EXPECT_THAT(difference(2, whole, [] { return run(300, 3, 0); }).problem, HasSubstr("no unit held"));
  EXPECT_THAT(difference(2, whole, apart).problem, HasSubstr("same time"));
  EXPECT_THAT(difference(2, apart, whole).problem, HasSubstr("same time"));
  EXPECT_THAT(difference(2, whole, whole).problem, HasSubstr("no longer"));
}

TEST(Difference, TellsTheFewestFullUnits) {
  int units = 9;
  EXPECT_EQ(difference(
                3, [] { return run(1, 1, 8); }, [&] { return run(2, 2, --units); })
                .full_units,
            5);
}

TEST(Difference, HasNoClockWhereTheTimeShowsNone) {
  EXPECT_THAT(difference(
                  2, [] { return run(1, 5); }, [] { return run(2, 5); })
                  .clock_mhz,
              DoubleEq(0));
}

TEST(Trips, FillTheCyclesWithinTheirLimits) {
  EXPECT_EQ(trips_for(1000, 10, 4, 500), 100);
  EXPECT_EQ(trips_for(1000, 1, 4, 500), 500);
  EXPECT_EQ(trips_for(1000, 900, 4, 500), 4);
  EXPECT_EQ(trips_for(1000, 0, 4, 500), 4);       // a trial without a difference
  EXPECT_EQ(trips_for(1000, -3, 4, 500), 4);      // or less than nothing
  EXPECT_EQ(trips_for(1e30, 1e-9, 4, 500), 500);  // too large for an int
}

}  // namespace
}  // namespace measure
