#include "warpipe/views/occupancy_history_view.hpp"

#include <gmock/gmock.h>

#include "golden.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Ticks cycles(std::int64_t count) { return Ticks{1000 * count}; }

/// Groups of 32 warps in two slots: one group, then two, then one for half of the time.
OccupancyHistory example_history() {
  OccupancyHistory history;
  history.slots = 2;
  history.warps_per_group = 32;
  history.warps_per_unit = 64;
  history.cycles = cycles(300);
  history.residency.width = cycles(100);
  history.residency.occupied = {cycles(100), cycles(200), cycles(50)};
  history.residency.total = cycles(350);
  history.residency.peak = 2;
  history.residency.tail = cycles(100);
  return history;
}

TEST(OccupancyHistoryView, TextReadsAsInTheGoldenFile) {
  expect_golden("occupancy_history.txt", write_text(example_history()));
}

TEST(OccupancyHistoryView, JsonReadsAsInTheGoldenFile) {
  expect_golden("occupancy_history.json", occupancy_history_json(example_history()));
}

// 350 of 300 cycles: 1.1667 groups of 32 warps, 37.3 of 64.
TEST(OccupancyHistoryView, TheMeanIsOverTheWholeRun) {
  EXPECT_THAT(write_text(example_history()), HasSubstr("mean 37.3 (58.3 %), most 64, tail 33.3 % of the time"));
}

// The last bucket has 50 of its 60 cycles.
TEST(OccupancyHistoryView, TheLastBucketIsTheMeanOverWhatThereIsOfIt) {
  auto history = example_history();
  history.cycles = cycles(260);
  EXPECT_DOUBLE_EQ(mean_groups(history, 2), 50.0 / 60);
}

TEST(OccupancyHistoryView, WithoutALimitOfTheDeviceTheLaunchIsTheMeasure) {
  auto history = example_history();
  history.warps_per_unit.reset();
  history.slots = 4;  // 128 warps
  EXPECT_THAT(write_text(history), HasSubstr("mean 37.3 (29.2 %)"));
  EXPECT_THAT(write_text(history), Not(HasSubstr("room")));
}

TEST(OccupancyHistoryView, OfSeveralUnitsIsTheirMean) {
  auto history = example_history();
  history.units = 2;
  EXPECT_THAT(write_text(history), HasSubstr("on the mean of the units"));
  EXPECT_DOUBLE_EQ(mean_groups(history), 350.0 / 300 / 2);
}

TEST(OccupancyHistoryView, ARunOfNoTimeHasNoBuckets) {
  OccupancyHistory history;
  EXPECT_THAT(write_text(history), HasSubstr("mean 0.0 (0.0 %), most 0, tail 0.0 % of the time"));
}

TEST(OccupancyHistoryView, TextEndsNoLineWithABlank) {
  EXPECT_THAT(write_text(example_history()), Not(HasSubstr(" \n")));
}

}  // namespace
}  // namespace warpipe::test
