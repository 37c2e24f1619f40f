#include "warpipe/sweep/sweep_models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chain_model.hpp"
#include "small_models.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/sweep/sweep.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// A chain of `laps` executions (5) instead of `trips`.
Kernel other_chain() {
  Kernel kernel = chain_kernel();
  const std::vector<std::string> visible{"laps", "group_size", "groups"};
  kernel.name = "other";
  kernel.parameters = {{"laps", 5}};
  kernel.work.flops = Expression::parse("2 * group_size * groups * laps", visible);
  kernel.work.bytes = {};
  std::get<Loop>(kernel.body.front().node).trip_count = Expression::parse("laps", visible);
  return kernel;
}

/// Whose executions take so many cycles.
Device device_of(double completion) {
  Device device = chain_device();
  device.ops.front().completion = Latency{{{1, completion}}};
  return device;
}

SweepModels models() {
  const SweepKernel chain = chain_kernel(), other = other_chain();
  return {{{chain, chain}, {other, other}}, {device_of(10), device_of(100)}};
}

/// The cycles of each point, or its error.
std::vector<std::string> cycles_of(const std::vector<std::string>& texts) {
  const auto all = models();
  const auto variations = read_variations(texts, all);
  const LaunchOptions options;
  const SweepStudy study(all, options, variations);
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < study.size(); ++i) {
    const auto point = study.at(i);
    cells.push_back(point.prediction ? format_cycles(point.prediction->cycles) : point.error);
  }
  return cells;
}

// (trips - 1) C + 2 + C for 3 and 5 executions of C = 10 and 100 cycles, by two warps.
TEST(SweepModels, AreThoseThatAPointNames) {
  EXPECT_THAT(cycles_of({"kernel=a,b", "device=c,d"}), ElementsAre("32", "302", "52", "502"));
  EXPECT_THAT(cycles_of({"device=c,d", "kernel=a,b"}), ElementsAre("32", "52", "302", "502"));
}

TEST(SweepModels, VaryAParameterThatOneOfTheKernelsHas) {
  EXPECT_THAT(cycles_of({"kernel=a,b", "device=c,d", "laps=1,2"}),
              ElementsAre(HasSubstr("laps"), HasSubstr("laps"), HasSubstr("laps"), HasSubstr("laps"), "12", "22", "102",
                          "202"));
  const auto said = message_of<UsageError>([] { cycles_of({"kernel=a,b", "device=c,d", "lap=1"}); });
  EXPECT_THAT(said, HasSubstr("no \"lap\""));
}

TEST(SweepModels, FailAsTheFirstOneWhereAllDo) {
  const auto all = models();
  const auto variations = read_variations({"kernel=a,b", "device=c,d"}, all);
  LaunchOptions options;
  options.parameters = {{"rounds", 1}};
  EXPECT_THAT(message_of<UsageError>([&] { SweepStudy(all, options, variations); }),
              AllOf(HasSubstr("rounds"), HasSubstr("chain")));
}

// 2 operations of 64 threads for each execution: 3 executions of either kernel are equal work.
TEST(SweepModels, CompareWhereTheyDoTheSameWork) {
  const auto all = models();
  const auto variations = read_variations({"kernel=a,b", "device=c,d"}, all);
  const auto works_of = [&](const LaunchOptions& options) {
    const SweepStudy study(all, options, variations);
    std::vector<SweepPoint> points;
    for (std::size_t i = 0; i < study.size(); ++i) points.push_back(study.at(i));
    return equal_work(variations, points).size();
  };
  EXPECT_EQ(works_of({}), 2U);
  EXPECT_EQ(changes_of_work(variations), "kernel");
}

TEST(SweepModels, CostWhatTheirWorkTakesWithoutASimulation) {
  const auto all = models();
  const auto variations = read_variations({"kernel=a,b", "device=c,d"}, all);
  const LaunchOptions options;
  const SweepStudy study(all, options, variations);
  EXPECT_EQ(study.cost_of_time(0, 768), 2.0) << "64 threads x 3 executions x 2";
  EXPECT_EQ(study.cost_of_time(2, 1280), 2.0) << "64 threads x 5 executions x 2";
  const SweepModels one(all.all().front().kernel, *all.all().front().device);
  const auto policies = read_variations({"policy=oldest,first-ready"}, one);
  EXPECT_EQ(SweepStudy(one, options, policies).cost_of_time(1, 1280), 1280);
}

TEST(NamedVariation, IsAListOfNames) {
  const auto kernels = parse_named_variation("kernel=a b.json,c.ptx:entry");
  ASSERT_TRUE(kernels);
  ASSERT_THAT(kernels->values, SizeIs(2));
  EXPECT_EQ(to_string(kernels->values[0]), "a b.json");
  EXPECT_EQ(to_string(kernels->values[1]), "c.ptx:entry");
  EXPECT_EQ(kernels->values[1].number, 1);
  EXPECT_FALSE(kernels->values[1].is_number());
  EXPECT_FALSE(parse_named_variation("trips=1"));
  for (const char* wrong : {"policy", "policy=", "policy=fastest", "device=a,,b", "device=-"})
    EXPECT_THROW(parse_named_variation(wrong), UsageError) << wrong;
}

}  // namespace
}  // namespace warpipe
