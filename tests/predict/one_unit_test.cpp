#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_models.hpp"
#include "warpipe/predict/predict.hpp"

/// Effects hidden by the unit that stands for all, and the results' warnings about them.

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// x on a unit's pipeline, d on the device's, 10 each; 2 units.
Device two_units() {
  return device_with({{"x", "a", 10, 10}, {"d", "dram", 10, 10}},
                     R"({"compute_units": 2, "pipelines": {"dram": {"scope": "device"}}})");
}

std::vector<std::string> doubts(const Kernel& kernel) { return predict(kernel, two_units(), {}).warnings; }

// Three groups take the device's pipeline at 0, 10 and 20 and end at 30. A unit with two of them takes it for 15 each,
// at 0 and 15, and ends at 25.
TEST(OneUnit, SaysWhatAllUnitsTakeWhereTheLastWaveIsUneven) {
  const Kernel kernel = kernel_with(R"({"id": "i", "op": "d"})", {.groups = 3, .concurrent_groups = 2});
  EXPECT_THAT(doubts(kernel),
              ElementsAre("the last wave is uneven, 1 of 2 units get 2 groups and the others 1: with `units = "
                          "all` it takes 30 cycles, +20 %"));
}

// The unit with two groups is the last to end.
TEST(OneUnit, SaysNothingWhereAllUnitsTakeAsLong) {
  EXPECT_THAT(doubts(kernel_with(R"({"id": "i", "op": "x"})", {.groups = 3, .concurrent_groups = 2})), IsEmpty());
}

// 3 groups x 200,000 instructions are too many to be simulated unasked; 4 places for 3 groups.
TEST(OneUnit, EstimatesWhatAllUnitsMayTakeWhereThatIsLongToSimulate) {
  const Kernel kernel = kernel_with(R"({"loop": "l", "trip_count": 200000, "body": [{"id": "i", "op": "x"}]})",
                                    {.groups = 3, .concurrent_groups = 2});
  EXPECT_THAT(doubts(kernel), ElementsAre(HasSubstr("the time with `units = all` may differ by up to 33 %")));
}

TEST(OneUnit, SaysNothingOfWholeWavesAndOfFewGroups) {
  EXPECT_THAT(doubts(kernel_with(R"({"id": "i", "op": "d"})", {.groups = 4, .concurrent_groups = 2})), IsEmpty());
  EXPECT_THAT(doubts(kernel_with(R"({"id": "i", "op": "d"})", {.groups = 1, .concurrent_groups = 2})), IsEmpty());
}

// Two groups on three units: d is taken for 20 each, and the second d of the one group waits for it; all units take it
// at 0, 10, then 40 and 50, and end at 60. One unit: d at 0, y from 10 to 40, d at 40: until 50.
TEST(OneUnit, SaysWhereFewGroupsDoNotMeetAtTheDevice) {
  const Device device = device_with({{"y", "a", 30, 30}, {"d", "dram", 10, 10}},
                                    R"({"compute_units": 3, "pipelines": {"dram": {"scope": "device"}}})");
  const Kernel kernel = kernel_with(R"({"id": "i", "op": "d"}, {"id": "j", "op": "y", "after": ["i"]},
                                       {"id": "k", "op": "d", "after": ["j"]})",
                                    {.groups = 2});
  EXPECT_THAT(
      predict(kernel, device, {}).warnings,
      ElementsAre("2 groups on 3 units share the device as if they always came at once: with `units = all` it takes 60 "
                  "cycles, +20 %"));
}

Kernel kernel_of_trips(std::string_view of_group, std::string_view trips, int groups) {
  return kernel_file(fmt::format(R"("launch": {{"group_size": 32, "groups": {}, "concurrent_groups": 1}},
                     "kinds": {{"of_group": {}, "values": {{"trips": {}}}}},)",
                                 groups, of_group, trips),
                     R"({"loop": "l", "trip_count": "trips", "body": [{"id": "i", "op": "x"}]})");
}

// A group stands for two, of 10 and of 90 trips, 50 on average: of the sorted two, the group at position 1.
TEST(OneUnit, SaysWhereItsGroupsCannotStandForAll) {
  EXPECT_THAT(doubts(kernel_of_trips("[[0, 1], [1, 1]]", "[10, 90]", 2)),
              testing::Contains(
                  HasSubstr("1 groups of one unit cannot stand for 2 groups of 2 kinds: their work is +80.0 % off")));
}

// Nine groups of 10 trips and a group of 30: 12 on average, 2.5 times the average, 18 x 10 cycles longer than the
// average of 120 in a run of 5 groups, 600 cycles.
TEST(OneUnit, SaysWhereOneGroupMayEndTheRun) {
  const auto found = doubts(kernel_of_trips("[[0, 9], [1, 1]]", "[10, 30]", 10));
  EXPECT_THAT(found, testing::Contains(
                         AllOf(HasSubstr("the largest has 2.5 times the work of the average"), HasSubstr("up to"))));
}

TEST(OneUnit, SaysNothingWhereSmallDifferencesAverageOut) {
  EXPECT_THAT(doubts(kernel_of_trips("[[0, 1], [1, 1]]", "[10, 11]", 400)), IsEmpty());
}

}  // namespace
}  // namespace warpipe
