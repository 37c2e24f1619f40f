#include "warpipe/latency_tables/device_path.hpp"

#include <gmock/gmock.h>

#include "example_device.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

/// The only problem of a number at a path.
Diagnostic problem(const std::string& path, double value) {
  try {
    with_number(example_levels(), path, value);
  } catch (const UsageError& error) {
    if (error.diagnostics().size() == 1) return error.diagnostics().front();
  }
  return {};
}

TEST(DevicePath, ChangesTheNumberThereAlone) {
  Device expected = example_levels();
  expected.memory->levels[1].bytes = 8388608;
  EXPECT_EQ(with_number(example_levels(), "memory/levels/l2/bytes", 8388608), expected);
  EXPECT_EQ(with_number(example_levels(), "/memory/levels/1/bytes", 8388608), expected);
  expected = example_levels();
  expected.ops[2].issue = Latency{{{1, 2.5}}};
  EXPECT_EQ(with_number(example_levels(), "ops/global.load/issue", 2.5), expected) << "names of ops have dots";
  expected = example_levels();
  expected.compute_units = 20;
  EXPECT_EQ(with_number(example_levels(), "/compute_units", 20), expected);
}

TEST(DevicePath, FollowsANumberThatIsChangedByItsName) {
  Device device = example_levels();
  device.memory->levels[2].source->intervals = {{"read_bytes_per_s", {3.9e11, 4.1e11}}, {"latency_s", {4e-7, 6e-7}}};
  device.ops[1].source->intervals = {{"issue", {1, 1}}, {"per_conflict.issue", {1, 1}}};
  ASSERT_TRUE(set_number("dram.read_bytes_per_s", 5e11, device));
  ASSERT_TRUE(set_number("shared.load.per_conflict.issue", 2, device));
  const Device changed = with_number(device, "/compute_units", 20);
  EXPECT_THAT(changed.memory->levels[2].source->intervals,
              testing::ElementsAre(testing::Pair("latency_s", testing::_)));
  EXPECT_THAT(changed.ops[1].source->intervals, testing::ElementsAre(testing::Pair("issue", testing::_)));
}

TEST(DevicePath, DropsTheIntervalOfWhatStoodThere) {
  Device device = example_levels();
  device.memory->levels[1].source->intervals = {{"bytes", {1, 1e9}}, {"latency_s", {0, 1}}};
  device.sources["clock_hz"].intervals = {{"clock_hz", {1e9, 1e9}}};
  device.sources["issue.warp_interval"].intervals = {{"issue.warp_interval", {1, 1}}};
  const Device other = with_number(device, "memory/levels/l2/latency_s", 1e-7);
  EXPECT_THAT(other.memory->levels[1].source->intervals, testing::ElementsAre(testing::Key("bytes")));
  EXPECT_THAT(with_number(device, "/clock_hz", 2e9).sources.at("clock_hz").intervals, testing::IsEmpty());
  EXPECT_THAT(with_number(device, "issue/warp_interval", 2).sources.at("issue.warp_interval").intervals,
              testing::IsEmpty());
}

TEST(DevicePath, GivesANumberThatTheFileLeavesOut) {
  EXPECT_EQ(with_number(example_levels(), "dies", 2).dies, 2);
  EXPECT_EQ(with_number(example_levels(), "memory/levels/dram/ways", 8).memory->levels[2].ways, 8);
  const Device device = with_number(example_device(), "pipelines/lsu/backlog", 7);
  EXPECT_EQ(device.pipelines[1].backlog, Cycles{7});
}

TEST(DevicePath, SetsSectorsOfTheNearestLevelByEitherOfTheirNames) {
  Device expected = example_levels();
  expected.memory->transaction_bytes = expected.memory->levels[0].sector_bytes = 64;
  EXPECT_EQ(with_number(example_levels(), "memory/transaction_bytes", 64), expected);
  EXPECT_EQ(with_number(example_levels(), "memory/levels/l1/sector_bytes", 64), expected);
  EXPECT_EQ(with_number(example_levels(), "memory/levels/0/sector_bytes", 64), expected);
  const Device again = with_number(expected, "memory/transaction_bytes", 128);
  EXPECT_EQ(again.memory->levels[0].sector_bytes, 128);
  EXPECT_EQ(with_number(again, "memory/levels/l1/sector_bytes", 64), expected);
  EXPECT_EQ(with_number(again, "memory/transaction_bytes", 32), example_levels());
  EXPECT_THAT(problem("memory/transaction_bytes", 256).problem,
              HasSubstr("a line of 128 bytes cannot be made of sectors of 256"));
}

TEST(DevicePath, IsOfTheFileThatTheDeviceIsFrom) {
  EXPECT_EQ(with_number(example_levels(), "dies", 2).file, "example.json");
}

TEST(DevicePath, RefusesAPathThatNoFileHas) {
  EXPECT_THAT(problem("memory/levels/l2/byts", 1), AllOf(Field(&Diagnostic::problem, HasSubstr("unknown key \"byts\"")),
                                                         Field(&Diagnostic::advice, HasSubstr("\"bytes\""))));
  EXPECT_THAT(problem("memory/levels/l4/bytes", 1),
              AllOf(Field(&Diagnostic::problem, "no number \"memory/levels/l4/bytes\" in example"),
                    Field(&Diagnostic::advice, HasSubstr("as memory/"))));
  EXPECT_THAT(problem("memory/levels", 1), Field(&Diagnostic::problem, HasSubstr("no number")));
  EXPECT_THAT(problem("/name", 1), Field(&Diagnostic::problem, HasSubstr("no number"))) << "a text";
  EXPECT_THAT(problem("memory//bytes", 1), Field(&Diagnostic::problem, HasSubstr("unknown key")));
}

TEST(DevicePath, RefusesAValueThatTheFileCannotHave) {
  EXPECT_THAT(problem("/compute_units", 0), AllOf(Field(&Diagnostic::problem, HasSubstr("a whole number from 1")),
                                                  Field(&Diagnostic::found, "found 0")));
  EXPECT_THAT(problem("memory/levels/l2/latency_s", 200), Field(&Diagnostic::problem, HasSubstr("a number from 0")));
  EXPECT_THAT(problem("memory/levels/l2/ways", 1e6),
              Field(&Diagnostic::problem, HasSubstr("cannot hold 1000000 ways")));
}

TEST(DevicePath, AllPathsLeadToTheirNumbers) {
  const std::vector<std::string> paths = device_paths(example_levels());
  EXPECT_THAT(paths, AllOf(Contains("/compute_units"), Contains("memory/levels/l1/latency"),
                           Contains("ops/global.atomic/then/0/per_conflict"), Contains("limits/warps_per_unit")));
  EXPECT_THAT(paths, Not(Contains("/version")));
  for (const std::string& path : paths) {
    EXPECT_TRUE(is_device_path(path)) << path;
    if (path.ends_with("bytes")) continue;  // numbers of bytes depend on each other
    EXPECT_NO_THROW(with_number(example_levels(), path, 1)) << path;
  }
}

TEST(DevicePath, IsNoNameOfTheTable) {
  EXPECT_FALSE(is_device_path("global.load.issue"));
  EXPECT_FALSE(is_device_path("l2.latency_s"));
}

}  // namespace
}  // namespace warpipe
