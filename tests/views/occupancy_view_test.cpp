#include "warpipe/views/occupancy_view.hpp"

#include <gmock/gmock.h>

#include "golden.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;

OccupancyReport example_occupancy() {
  OccupancyReport report;
  report.kernel = "sgemm";
  report.device = "example";
  report.device_title = "An example device";
  report.needs = {256, 96, 8192};
  report.occupancy.warps_per_group = 8;
  report.occupancy.groups = 2;
  report.occupancy.bounds = {{OccupancyLimit::Groups, 32, std::nullopt},
                             {OccupancyLimit::Warps, 8, 224},
                             {OccupancyLimit::Registers, 2, 80},
                             {OccupancyLimit::SharedMemory, 12, 7552}};
  report.occupancy.limiters = {OccupancyLimit::Registers};
  report.concurrent_groups = {2, Origin::Occupancy};
  report.limits.warps_per_unit = 64;
  return report;
}

TEST(OccupancyView, TextReadsAsInTheGoldenFile) { expect_golden("occupancy.txt", write_text(example_occupancy())); }
TEST(OccupancyView, JsonReadsAsInTheGoldenFile) { expect_golden("occupancy.json", write_json(example_occupancy())); }

TEST(OccupancyView, OccupancyIsResidentWarpsOverTheMost) {
  // 2 groups of 8 warps of 64: 16 / 64.
  EXPECT_THAT(write_text(example_occupancy()), HasSubstr("16 resident warps, occupancy 25.0 %"));
}

TEST(OccupancyView, SaysHowFarTheNextStepIs) {
  EXPECT_THAT(write_text(example_occupancy()), HasSubstr("3 with at most 80 registers per thread (now 96)"));
}

TEST(OccupancyView, SaysWhoAskedForAnotherNumberOfGroups) {
  auto report = example_occupancy();
  report.concurrent_groups = {1, Origin::CommandLine};
  EXPECT_THAT(write_text(report), HasSubstr("The command line asks for 1."));
}

TEST(OccupancyView, DeviceWithoutLimitsHoldsAnyNumber) {
  auto report = example_occupancy();
  report.occupancy = {};
  EXPECT_THAT(write_text(report), HasSubstr("No limit of the device binds"));
  EXPECT_THAT(write_json(report), HasSubstr("\"groups\": null"));
}

}  // namespace
}  // namespace warpipe::test
