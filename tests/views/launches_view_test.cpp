#include "warpipe/views/launches_view.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "example_prediction.hpp"

/// `warpipe launches`: the sum over launches waiting for each other.

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Prediction takes(double seconds) {
  Prediction prediction = example_prediction();
  prediction.time = Seconds{seconds};
  prediction.total_time = Seconds{seconds + 4e-6};
  return prediction;
}

/// Three launches of 10 us and a launch of 2 us, each with an overhead of 4 us.
ProgramTimes four_launches() {
  ProgramTimes program;
  program.device.name = "example";
  program.device.launch_overhead = Seconds{4e-6};
  program.launches.push_back({1, "long", "256", "40", 3, takes(10e-6), ""});
  program.launches.push_back({2, "short", "256", "4", 1, takes(2e-6), ""});
  return program;
}

TEST(LaunchesView, LaunchesThatWaitForEachOtherHaveTheGapOfTheDeviceBetweenThem) {
  ProgramTimes program = four_launches();
  program.device.launch_gap = Seconds{1.5e-6};
  // 4 of overhead, 3 x 10 + 2 of runs, three gaps between four launches
  EXPECT_NEAR(sum_of(program).back_to_back, 40.5e-6, 1e-12);
  EXPECT_NEAR(sum_of(program).time, 32e-6, 1e-12) << "the runs alone";
  EXPECT_THAT(write_text(program), HasSubstr(", back to back 40.5 us with 1.5 us between two launches\n"));
  EXPECT_DOUBLE_EQ(nlohmann::json::parse(write_json(program))["sum"]["gap_s"].get<double>(), 1.5e-6);
}

TEST(LaunchesView, ALaunchBeginsNoSoonerThanTheIntervalOfTheDevice) {
  ProgramTimes program = four_launches();
  program.device.launch_gap = Seconds{1e-6};
  program.device.launch_interval = Seconds{11.5e-6};
  // 4 of overhead, three steps of 11.5 in place of 10 + 1, and the last run
  EXPECT_NEAR(sum_of(program).back_to_back, 40.5e-6, 1e-12);
  program.device.launch_interval = Seconds{10.5e-6};
  EXPECT_NEAR(sum_of(program).back_to_back, (4 + 3 * 11 + 2) * 1e-6, 1e-12);
}

TEST(LaunchesView, SaysWhereTheGapIsUnknown) {
  EXPECT_NEAR(sum_of(four_launches()).back_to_back, 36e-6, 1e-12);
  EXPECT_THAT(write_text(four_launches()),
              HasSubstr(", back to back 36 us, without the gaps between launches, which are unknown\n"));
  EXPECT_FALSE(nlohmann::json::parse(write_json(four_launches()))["sum"].contains("gap_s"));
}

TEST(LaunchesView, OneLaunchHasNoGap) {
  ProgramTimes program = four_launches();
  program.device.launch_gap = Seconds{1e-6};
  program.launches.pop_back();
  program.launches[0].times = 1;
  EXPECT_NEAR(sum_of(program).back_to_back, 14e-6, 1e-12);
  EXPECT_THAT(write_text(program), Not(HasSubstr("back to back")));
}

}  // namespace
}  // namespace warpipe::test
