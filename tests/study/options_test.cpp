#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "chain_model.hpp"
#include "small_models.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr auto kIssue = LatencyField::Issue;
constexpr auto kCompletion = LatencyField::Completion;

/// One op "load": issue 4, completion 400 with one resident warp, 430 with 16.
Device device_with_points() {
  return device_with({{"load", "a", 4, 0, R"({"completion": [[1, 400], [16, 430]]})"}, {"add", "b", 1, 6}});
}

Op load_with(const LaunchOptions& options) { return *with_options(device_with_points(), options).find_op("load"); }

std::string usage_error(const LaunchOptions& options) {
  return message_of<UsageError>([&] {
    with_options(chain_kernel(), options);
    with_options(device_with_points(), options);
  });
}

TEST(Options, ThatSayNothingChangeNothing) {
  EXPECT_EQ(with_options(chain_kernel(), {}), chain_kernel());
  EXPECT_EQ(with_options(device_with_points(), {}), device_with_points());
}

TEST(Options, ParamReplacesTheDefault) {
  LaunchOptions options;
  options.parameters = {{"trips", 7}};
  EXPECT_THAT(with_options(chain_kernel(), options).parameters, ElementsAre(Pair("trips", 7.0)));
}

TEST(Options, ParamThatTheKernelLacksIsAUsageErrorWithTheNearestName) {
  LaunchOptions options;
  options.parameters = {{"tripz", 7}};
  EXPECT_THAT(usage_error(options),
              AllOf(HasSubstr("--param"), HasSubstr("\"tripz\""), HasSubstr("did you mean \"trips\"?")));
}

TEST(Options, FactorsReplaceThoseOfTheInstruction) {
  Kernel kernel = chain_kernel();
  kernel.instructions[0].conflict_degree = Expression(2);
  LaunchOptions options;
  options.conflict_degree = {{"next", 8}};
  options.transactions = {{"next", 16}};
  const Kernel changed = with_options(kernel, options);
  EXPECT_EQ(changed.instructions[0].conflict_degree, Expression(8));
  EXPECT_EQ(changed.instructions[0].transactions, Expression(16));
}

TEST(Options, FactorOfAnInstructionThatTheKernelLacksIsAUsageErrorWithTheNearestName) {
  LaunchOptions degree, transactions;
  degree.conflict_degree = {{"nxt", 8}};
  transactions.transactions = {{"nexd", 8}};
  EXPECT_THAT(usage_error(degree),
              AllOf(HasSubstr("--conflict-degree"), HasSubstr("\"nxt\""), HasSubstr("did you mean \"next\"?")));
  EXPECT_THAT(usage_error(transactions),
              AllOf(HasSubstr("--transactions"), HasSubstr("\"nexd\""), HasSubstr("did you mean \"next\"?")));
}

TEST(Options, SetReplacesPointsByTheValueAndNoOtherField) {
  LaunchOptions options;
  options.set = {{"load", kCompletion, Cycles{7}}};
  for (const int residents : {1, 8, 16, 64}) EXPECT_EQ(latency_at(load_with(options).completion, residents), Cycles{7});
  EXPECT_EQ(load_with(options).issue, device_with_points().find_op("load")->issue);
  EXPECT_EQ(*with_options(device_with_points(), options).find_op("add"), *device_with_points().find_op("add"));
}

TEST(Options, LaterSetWins) {
  LaunchOptions options;
  options.set = {{"load", kIssue, Cycles{7}}, {"load", kIssue, Cycles{9}}};
  EXPECT_EQ(latency_at(load_with(options).issue, 1), Cycles{9});
}

TEST(Options, ScaleMultipliesBothFieldsPointByPoint) {
  LaunchOptions options;
  options.scale = {{"load", 1.5}};
  EXPECT_THAT(load_with(options).issue.points, ElementsAre(Pair(1, 6.0)));
  EXPECT_THAT(load_with(options).completion.points, ElementsAre(Pair(1, 600.0), Pair(16, 645.0)));
}

TEST(Options, ScalesOfOneOpMultiply) {
  LaunchOptions options;
  options.scale = {{"load", 2}, {"load", 3}};
  EXPECT_EQ(latency_at(load_with(options).issue, 1), Cycles{24});
}

// 10 x 3, though the options keep no order between the two.
TEST(Options, SetComesBeforeScale) {
  LaunchOptions options;
  options.scale = {{"load", 3}};
  options.set = {{"load", kCompletion, Cycles{10}}};
  EXPECT_EQ(latency_at(load_with(options).completion, 16), Cycles{30});
}

TEST(Options, WhatASweepVariesReplacesWhatSetAndScaleGave) {
  LaunchOptions options;
  options.set = {{"load", kCompletion, Cycles{10}}};
  options.scale = {{"load", 3}};
  options.final_set = {{"load", kCompletion, Cycles{5}}};
  EXPECT_EQ(latency_at(load_with(options).completion, 16), Cycles{5});
  EXPECT_EQ(latency_at(load_with(options).issue, 16), Cycles{12});  // 4 x 3
}

TEST(Options, OpThatTheDeviceLacksIsAUsageErrorWithTheNearestName) {
  LaunchOptions set, scale, varied;
  set.set = {{"laod", kIssue, Cycles{1}}};
  scale.scale = {{"loads", 2}};
  varied.final_set = {{"lod", kIssue, Cycles{1}}};
  for (const auto& [options, name] : {std::pair(set, "--set"), {scale, "--scale"}, {varied, "--vary"}})
    EXPECT_THAT(usage_error(options), AllOf(HasSubstr(name), HasSubstr("did you mean \"load\"?")));
}

TEST(Options, SetTakesLatenciesFromZeroToTheLargestOfADeviceFile) {
  const auto error = [](double cycles) {
    LaunchOptions options;
    options.set = {{"load", kIssue, Cycles{cycles}}};
    return usage_error(options);
  };
  EXPECT_EQ(error(0), "");
  EXPECT_EQ(error(1e9), "");
  for (const double wrong :
       {-0.001, 1e9 + 1, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THAT(error(wrong), HasSubstr("between 0 and 1e9")) << wrong;
}

TEST(Options, ScaleMayNotLeaveTheRangeOfLatencies) {
  const auto error = [](double factor) {
    LaunchOptions options;
    options.scale = {{"load", factor}};
    return usage_error(options);
  };
  EXPECT_EQ(error(0), "");
  EXPECT_EQ(error(1e9 / 430), "");
  // The longest point decides: 430 x 2.4e6 is above 1e9, 400 x 2.4e6 is not.
  for (const double wrong : {2.4e6, -1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THAT(error(wrong), AllOf(HasSubstr("--scale load="), HasSubstr("between 0 and 1e9"))) << wrong;
}

TEST(Options, PolicyAndClockReplaceThoseOfTheDevice) {
  LaunchOptions options;
  options.policy = Policy::RoundRobin;
  options.clock = Hertz{2e9};
  Device expected = device_with_points();
  expected.policy = Policy::RoundRobin;
  expected.clock = Hertz{2e9};
  EXPECT_EQ(with_options(device_with_points(), options), expected);
}

}  // namespace
}  // namespace warpipe
