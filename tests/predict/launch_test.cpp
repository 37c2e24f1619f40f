#include "warpipe/predict/launch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_models.hpp"
#include "warpipe/idg/error.hpp"

/// Rules 8 and 9 of the model: the resolved launch.

namespace warpipe {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr auto kBody = R"({"id": "i", "op": "x"})";

/// 1024 elements, 64 threads (2 warps) a group, so 16 groups; says nothing of M.
Kernel elements() {
  return kernel_file(R"("parameters": {"n": 1024, "tile": 64},
                        "launch": {"group_size": "tile", "groups": "n / group_size"},)",
                     kBody);
}

/// Units with room for 6 groups and 48 warps.
Device six_groups(std::string_view patch = "{}") {
  Device device = device_with({{"x", "a", 1, 1}}, patch);
  device.limits.groups_per_unit = 6;
  device.limits.warps_per_unit = 48;
  return device;
}

Device without_limits() { return device_with({{"x", "a", 1, 1}}); }

Launch launch_of(const Kernel& kernel, const Device& device, const LaunchOptions& options = {}) {
  return resolve_launch(with_options(kernel, options), device, options);
}

template <class Exception>
std::string refusal(const Kernel& kernel, const Device& device, const LaunchOptions& options = {}) {
  return message_of<Exception>([&] { launch_of(kernel, device, options); });
}

void expect_value(const Launch::Value& found, std::int64_t value, Origin origin) {
  EXPECT_EQ(found.value, value);
  EXPECT_EQ(to_string(found.origin), to_string(origin));
}

TEST(ResolveLaunch, TakesFromTheKernelWhatTheCommandLineLeavesOpen) {
  const Launch launch = launch_of(elements(), six_groups());
  expect_value(launch.group_size, 64, Origin::Kernel);
  expect_value(launch.groups, 16, Origin::Kernel);
  EXPECT_EQ(launch.warps_per_group, 2);
  EXPECT_EQ(launch.parameter_origins.at("n"), Origin::Kernel);
}

TEST(ResolveLaunch, LetsTheKernelsExpressionsSeeTheCommandLine) {
  LaunchOptions size, elements_of_option, all;
  size.group_size = 128;
  expect_value(launch_of(elements(), six_groups(), size).groups, 8, Origin::Kernel);  // 1024 / 128
  elements_of_option.parameters = {{"n", 320}};
  const Launch launch = launch_of(elements(), six_groups(), elements_of_option);
  expect_value(launch.groups, 5, Origin::Kernel);  // 320 / 64
  EXPECT_EQ(launch.parameter_origins.at("n"), Origin::CommandLine);
  EXPECT_EQ(launch.parameter_origins.at("tile"), Origin::Kernel);
  all.groups = 3;
  expect_value(launch_of(elements(), six_groups(), all).groups, 3, Origin::CommandLine);
}

TEST(ResolveLaunch, CountsAPartOfAWarpAsAWarp) {
  for (const auto& [threads, warps] : {std::pair(1, 1), {32, 1}, {33, 2}, {64, 2}, {65, 3}}) {
    LaunchOptions options;
    options.group_size = threads;
    options.groups = 1;
    EXPECT_EQ(launch_of(elements(), six_groups(), options).warps_per_group, warps) << threads;
  }
}

// The kernel says 2 x 2 warps = 4 groups, the occupancy 6, the command line 5.
TEST(ResolveLaunch, TakesConcurrentGroupsFromCommandLineThenKernelThenOccupancy) {
  const Kernel kernel =
      kernel_file(R"("launch": {"group_size": 64, "groups": 16, "concurrent_groups": "2 * warps"},)", kBody);
  LaunchOptions options;
  options.concurrent_groups = 5;
  expect_value(launch_of(kernel, six_groups(), options).concurrent_groups, 5, Origin::CommandLine);
  expect_value(launch_of(kernel, six_groups()).concurrent_groups, 4, Origin::Kernel);
  expect_value(launch_of(elements(), six_groups()).concurrent_groups, 6, Origin::Occupancy);
}

TEST(ResolveLaunch, SaysWhichOptionGivesAMissingValue) {
  const Kernel nothing = kernel_file("", kBody);
  LaunchOptions options;
  EXPECT_THAT(refusal<ModelError>(nothing, six_groups(), options), HasSubstr("`group_size`"));
  options.group_size = 64;
  EXPECT_THAT(refusal<ModelError>(nothing, six_groups(), options), HasSubstr("`groups`"));
  options.groups = 2;
  EXPECT_EQ(refusal<ModelError>(nothing, six_groups(), options), "");
  EXPECT_THAT(refusal<ModelError>(nothing, without_limits(), options), HasSubstr("`concurrent_groups`"));
  options.concurrent_groups = 1;
  EXPECT_EQ(refusal<ModelError>(nothing, without_limits(), options), "");
}

TEST(ResolveLaunch, RefusesZeroOfAnythingFromTheCommandLine) {
  LaunchOptions groups, size, concurrent;
  groups.groups = 0;
  size.group_size = 0;
  concurrent.concurrent_groups = 0;
  EXPECT_THAT(refusal<UsageError>(elements(), six_groups(), groups), HasSubstr("`groups`"));
  EXPECT_THAT(refusal<UsageError>(elements(), six_groups(), size), HasSubstr("`group_size`"));
  EXPECT_THAT(refusal<UsageError>(elements(), six_groups(), concurrent), HasSubstr("`concurrent_groups`"));
}

TEST(ResolveLaunch, BlamesTheFileForItsOwnValues) {
  const auto message = [](std::string_view groups) {
    return refusal<InputError>(
        kernel_file(fmt::format(R"("parameters": {{"n": 0}}, "launch": {{"group_size": 64, "groups": "{}"}},)", groups),
                    kBody),
        six_groups());
  };
  EXPECT_THAT(message("n"), AllOf(HasSubstr("k.json: /launch/groups"), HasSubstr("\"n\"")));  // zero groups
  EXPECT_THAT(message("group_size / 48"), HasSubstr("/launch/groups"));                       // 1.33
  EXPECT_THAT(message("1 / n"), HasSubstr("division by zero"));
  EXPECT_EQ(message("n + 1"), "");
}

TEST(ResolveLaunch, BlamesTheModelWhereTheCommandLinesValuesDoNotFit) {
  LaunchOptions elements_of_option, size;
  elements_of_option.parameters = {{"n", 1000}};  // / 64 is not whole
  size.group_size = 48;                           // 1024 / 48 is not whole
  for (const LaunchOptions& options : {elements_of_option, size})
    EXPECT_THAT(refusal<ModelError>(elements(), six_groups(), options), HasSubstr("k.json: /launch/groups"));
}

TEST(ResolveLaunch, SharesGroupsAmongUnitsRoundedUp) {
  const Launch launch = launch_of(elements(), six_groups(R"({"compute_units": 3})"));
  EXPECT_EQ(launch.groups_per_unit, 6);  // 16 / 3
  EXPECT_EQ(launch_of(elements(), six_groups(R"({"compute_units": 16})")).groups_per_unit, 1);
  EXPECT_EQ(launch_of(elements(), six_groups(R"({"compute_units": 17})")).groups_per_unit, 1);
}

TEST(ResolveLaunch, HasNoMoreSlotsThanAUnitGetsGroups) {
  const Launch few = launch_of(elements(), six_groups(R"({"compute_units": 6})"));
  EXPECT_EQ(few.concurrent_groups.value, 6);
  EXPECT_EQ(few.slots, 3);           // ceil(16 / 6)
  EXPECT_EQ(few.resident_warps, 6);  // x 2 warps
  const Launch many = launch_of(elements(), six_groups());
  EXPECT_EQ(many.slots, 6);
  EXPECT_EQ(many.resident_warps, 12);
}

TEST(ResolveLaunch, GivesTheOccupancyAsAShareOfTheUnitsWarps) {
  EXPECT_EQ(launch_of(elements(), six_groups()).occupancy, 12.0 / 48.0);
  Device device = six_groups();
  device.limits.warps_per_unit.reset();
  EXPECT_EQ(launch_of(elements(), device).occupancy, std::nullopt);
}

TEST(ResolveLaunch, RefusesMoreGroupsThanTheOccupancyAllows) {
  LaunchOptions options;
  options.concurrent_groups = 6;
  EXPECT_FALSE(launch_of(elements(), six_groups(), options).limits_ignored);
  options.concurrent_groups = 7;
  EXPECT_THAT(refusal<ModelError>(elements(), six_groups(), options),
              AllOf(HasSubstr("`concurrent_groups`"), HasSubstr("at most 6"), HasSubstr("7 groups are too many"),
                    HasSubstr("`ignore_limits`")));
  const Kernel kernel = kernel_file(R"("launch": {"group_size": 64, "groups": 16, "concurrent_groups": 7},)", kBody);
  EXPECT_THAT(refusal<ModelError>(kernel, six_groups()),
              AllOf(HasSubstr("/launch/concurrent_groups"), Not(HasSubstr("`concurrent_groups`:"))));
}

TEST(ResolveLaunch, IgnoresLimitsWhereAskedToAndSaysSo) {
  LaunchOptions options;
  options.ignore_limits = true;
  EXPECT_FALSE(launch_of(elements(), six_groups(), options).limits_ignored);
  options.concurrent_groups = 7;
  const Launch launch = launch_of(elements(), six_groups(), options);
  EXPECT_EQ(launch.slots, 7);
  EXPECT_TRUE(launch.limits_ignored);
}

TEST(ResolveLaunch, RefusesAGroupThatFitsNoUnitAlsoWithoutLimits) {
  Device device = six_groups();
  device.limits.threads_per_group = 63;
  LaunchOptions options;
  options.ignore_limits = true;
  options.concurrent_groups = 1;
  EXPECT_THAT(refusal<ModelError>(elements(), device, options), HasSubstr("threads_per_group = 63"));
}

// 4 x 64 bytes per group, 1024 a unit.
TEST(ResolveLaunch, EvaluatesResourcesForTheOccupancy) {
  const Kernel kernel = kernel_file(R"("launch": {"group_size": 64, "groups": 16},
      "resources": {"registers_per_thread": "16 * warps", "shared_memory_per_group": "4 * group_size"},)",
                                    kBody);
  Device device = six_groups();
  device.limits.shared_memory_per_unit = 1024;
  const Launch launch = launch_of(kernel, device);
  EXPECT_EQ(launch.registers_per_thread, 32);
  EXPECT_EQ(launch.shared_memory_per_group, 256);
  expect_value(launch.concurrent_groups, 4, Origin::Occupancy);
}

TEST(ResolveLaunch, LetsWorkSeeTheGroupsAndBeAnyNumber) {
  const Kernel kernel = kernel_file(R"("launch": {"group_size": 64, "groups": 2},
      "work": {"flops": "groups * group_size * warps", "bytes": "groups / 4"},)",
                                    kBody);
  LaunchOptions options;
  options.groups = 3;
  const Launch launch = launch_of(kernel, six_groups(), options);
  EXPECT_EQ(launch.flops, 384.0);  // 3 x 64 x 2
  EXPECT_EQ(launch.bytes, 0.75);
  EXPECT_EQ(launch_of(elements(), six_groups()).flops, std::nullopt);
}

TEST(ResolveLaunch, ShowsTheBodyTheParametersAndTheGroupButNotHowManyGroups) {
  const Launch launch = launch_of(elements(), six_groups());
  EXPECT_THAT(launch.values, UnorderedElementsAre(Key("n"), Key("tile"), Key("group_size"), Key("warps")));
  EXPECT_EQ(launch.values.at("group_size"), 64);
  EXPECT_EQ(launch.values.at("warps"), 2);
}

TEST(ResolveLaunch, RefusesUnitsOfMoreThanAMillionWarps) {
  LaunchOptions options;
  options.group_size = 32;
  options.groups = std::int64_t{1} << 30;
  options.concurrent_groups = std::int64_t{1} << 20;
  EXPECT_EQ(launch_of(elements(), without_limits(), options).resident_warps, 1 << 20);
  options.concurrent_groups = (std::int64_t{1} << 20) + 1;
  EXPECT_THAT(refusal<ModelError>(elements(), without_limits(), options), HasSubstr("1048576 warps"));
}

TEST(ResolveLaunch, NamesItsWords) {
  EXPECT_EQ(to_string(Origin::CommandLine), "command line");
  EXPECT_EQ(to_string(Origin::Kernel), "kernel");
  EXPECT_EQ(to_string(Origin::Occupancy), "occupancy");
  EXPECT_EQ(to_string(Units::One), "one");
  EXPECT_EQ(to_string(Units::All), "all");
}

TEST(ResolveLaunch, ListsAllThatIsMissing) {
  const auto text = refusal<ModelError>(kernel_file(R"("launch": {},)", kBody), without_limits());
  EXPECT_THAT(text, AllOf(HasSubstr("does not give group_size"), HasSubstr("does not give groups"),
                          HasSubstr("give `concurrent_groups`")));
  LaunchOptions given;
  given.group_size = 32;
  given.groups = 1;
  given.concurrent_groups = 1;
  EXPECT_EQ(launch_of(kernel_file(R"("launch": {},)", kBody), without_limits(), given).resident_warps, 1);
}

TEST(ResolveLaunch, SaysHowToRoundASizeThatIsNoWholeNumber) {
  LaunchOptions hundred;
  hundred.group_size = 100;
  EXPECT_THAT(refusal<ModelError>(elements(), six_groups(), hundred),
              AllOf(HasSubstr("\"n / group_size\" = 10.24 is not a whole number"),
                    HasSubstr("write \"ceil(n / group_size)\"")));
}

TEST(ResolveLaunch, TakesTheResidentWarpsAsTheOccupancy) {
  LaunchOptions warps;
  warps.occupancy = 8;  // groups of 64 threads have 2 warps
  expect_value(launch_of(elements(), six_groups(), warps).concurrent_groups, 4, Origin::CommandLine);
  warps.concurrent_groups = 3;  // the number of a sweep's point goes before
  expect_value(launch_of(elements(), six_groups(), warps).concurrent_groups, 3, Origin::CommandLine);
  warps.concurrent_groups.reset();
  warps.occupancy = 14;
  EXPECT_THAT(refusal<ModelError>(elements(), six_groups(), warps), HasSubstr("holds at most 6 groups"));
  warps.occupancy = 4;
  EXPECT_EQ(launch_of(elements(), without_limits(), warps).resident_warps, 4);
}

}  // namespace
}  // namespace warpipe
