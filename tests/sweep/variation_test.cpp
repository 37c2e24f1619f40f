#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chain_model.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/sweep/sweep.hpp"

namespace warpipe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = Variation::Kind;

Variation parsed(const std::string& text) { return parse_variation(text, chain_kernel(), chain_device()); }

std::string refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(VariationName, IsOneOfTheLaunch) {
  EXPECT_EQ(parsed("group_size=32").kind, Kind::GroupSize);
  EXPECT_EQ(parsed("groups=1").kind, Kind::Groups);
  EXPECT_EQ(parsed("concurrent_groups=1").kind, Kind::ConcurrentGroups);
  EXPECT_EQ(parsed("occupancy=1").kind, Kind::Occupancy);
}

TEST(VariationName, IsAParameterOfTheKernel) {
  const Variation variation = parsed("trips=1");
  EXPECT_EQ(variation.kind, Kind::Parameter);
  EXPECT_EQ(variation.target, "trips");
}

TEST(VariationName, IsANumberOfTheDevice) {
  for (const char* name : {"step.one.completion", "step.one.issue", "step.one.per_conflict.issue", "warp_interval"}) {
    const Variation variation = parsed(std::string(name) + "=1");
    EXPECT_EQ(variation.name, name);
    EXPECT_EQ(variation.kind, Kind::DeviceNumber) << name;
    EXPECT_EQ(variation.target, name);
  }
}

TEST(VariationName, IsOfTheKernelWhereTheDeviceHasTheSame) {
  Kernel kernel = chain_kernel();
  kernel.parameters["warp_interval"] = 1;
  EXPECT_EQ(parse_variation("warp_interval=2", kernel, chain_device()).kind, Kind::Parameter);
}

TEST(VariationName, IsAnInstructionBeforeItsConflictDegreeOrTransactions) {
  EXPECT_EQ(parsed("next.conflict_degree=2").kind, Kind::ConflictDegree);
  EXPECT_EQ(parsed("next.transactions=2").kind, Kind::Transactions);
  EXPECT_EQ(parsed("next.transactions=2").target, "next");
}

TEST(VariationName, ThatTheFilesDoNotHaveIsRefusedWithTheNearest) {
  EXPECT_THAT(refusal("trip=1"), HasSubstr("\"trips\""));
  EXPECT_THAT(refusal("group_sise=1"), HasSubstr("\"group_size\""));
  EXPECT_THAT(refusal("step.ore.issue=1"), HasSubstr("did you mean \"step.one.issue\"?"));
  EXPECT_THAT(refusal("nxt.transactions=1"), HasSubstr("\"next\""));
  EXPECT_THAT(refusal("step.one.isue=1"), HasSubstr("did you mean \"step.one.issue\"?"));
  // An instruction is no op, and an op no instruction.
  EXPECT_THAT(refusal("next.issue=1"), HasSubstr("\"next.issue\""));
  EXPECT_THAT(refusal("step.one.transactions=1"), HasSubstr("no instruction \"step.one\""));
}

TEST(VariationValues, AreAList) {
  EXPECT_THAT(parsed("trips=4,1,2.5").values, ElementsAre(4, 1, 2.5));
  EXPECT_THAT(parsed("trips=7").values, ElementsAre(7));
}

TEST(VariationValues, AreARangeByOnes) {
  EXPECT_THAT(parsed("trips=-1:2").values, ElementsAre(-1, 0, 1, 2));
  EXPECT_THAT(parsed("trips=0.5:2").values, ElementsAre(0.5, 1.5));
  EXPECT_THAT(parsed("trips=3:3").values, ElementsAre(3));
}

TEST(VariationValues, AreARangeWithAStep) {
  EXPECT_THAT(parsed("trips=1:10:4").values, ElementsAre(1, 5, 9));
  EXPECT_THAT(parsed("trips=1:9:4").values, ElementsAre(1, 5, 9));
  EXPECT_THAT(parsed("trips=1:8.999:4").values, ElementsAre(1, 5));
}

TEST(VariationValues, OfARangeReachItsEndInSpiteOfRounding) {
  const std::vector<VariedValue> tenths = parsed("trips=0:1:0.1").values;
  ASSERT_EQ(tenths.size(), 11u);
  EXPECT_EQ(tenths[7].number, 7 * 0.1);  // MIN + i x STEP, not a sum of steps
  EXPECT_EQ(tenths.back().number, 1.0);
  // In doubles 0.3 / 0.1 is below 3, and 3 x 0.1 above 0.3.
  EXPECT_THAT(parsed("trips=0:0.3:0.1").values, ElementsAre(0, 0.1, 0.2, 0.3));
}

TEST(VariationValues, AreARangeWithAFactor) {
  EXPECT_THAT(parsed("groups=1:64:x4").values, ElementsAre(1, 4, 16, 64));
  EXPECT_THAT(parsed("groups=3:20:x2").values, ElementsAre(3, 6, 12));
  EXPECT_THAT(parsed("trips=4:9:x1.5").values, ElementsAre(4, 6, 9));
}

TEST(VariationValues, ThatAreNoNumbersAreRefused) {
  for (const char* text : {"trips", "trips=", "trips=1,", "trips=,1", "trips=1,two", "trips=1:", "trips=:1",
                           "trips=1:2:", "trips=1:2:x", "trips=1:2:3:4", "trips=1:2,3", "trips=nan", "trips=0:inf"}) {
    EXPECT_NE(refusal(text), "accepted") << text;
  }
}

TEST(VariationValues, OfARangeThatLeadsNowhereAreRefused) {
  EXPECT_THAT(refusal("trips=2:1"), HasSubstr("MIN is above MAX"));
  EXPECT_THAT(refusal("trips=1:2:0"), HasSubstr("STEP must be above 0"));
  EXPECT_THAT(refusal("trips=1:2:-1"), HasSubstr("STEP must be above 0"));
  EXPECT_THAT(refusal("trips=1:2:x1"), HasSubstr("FACTOR must be above 1"));
  EXPECT_THAT(refusal("trips=0:2:x2"), HasSubstr("MIN of a range with a factor must be above 0"));
  EXPECT_THAT(refusal("trips=1e17:1.0000000000000001e17:1"), HasSubstr("a step of the range is too small"));
}

TEST(VariationValues, AreAtMostAMillion) {
  EXPECT_EQ(parsed("groups=1:1000000").values.size(), 1'000'000u);
  EXPECT_THAT(refusal("groups=1:1000001"), HasSubstr("at most 1000000 values"));
  EXPECT_THAT(refusal("trips=0:1:1e-300"), HasSubstr("at most 1000000 values"));
  EXPECT_THAT(refusal("trips=1:2:x1.0000000001"), HasSubstr("at most 1000000 values"));
}

TEST(VariationValues, OfCountsAreWholeAndAtLeastOne) {
  for (const char* text : {"group_size=0", "groups=1.5", "concurrent_groups=-1", "occupancy=0", "groups=1:2:0.5",
                           "next.conflict_degree=0", "next.transactions=1.5", "groups=1e16"}) {
    EXPECT_THAT(refusal(text), HasSubstr("whole numbers from 1")) << text;
  }
}

TEST(VariationValues, OfLatenciesAreFromZeroToABillionCycles) {
  EXPECT_THAT(parsed("step.one.issue=0,0.5,1e9").values, ElementsAre(0, 0.5, 1e9));
  EXPECT_THAT(refusal("step.one.issue=-0.5"), HasSubstr("from 0 to 1e9"));
  EXPECT_THAT(refusal("step.one.issue=1000000001"), HasSubstr("from 0 to 1e9"));
}

TEST(VariationValues, AtAPathOfTheDeviceAreAsItsFileMayHave) {
  EXPECT_EQ(parsed("/compute_units=1,2").kind, Kind::DeviceNumber);
  EXPECT_EQ(parsed("ops/step.one/issue=0.5").target, "ops/step.one/issue");
  EXPECT_THAT(refusal("/compute_units=1,0.5"), HasSubstr("a whole number from 1"));
  EXPECT_THAT(refusal("ops/step.one/isue=1"), HasSubstr("unknown key"));
}

std::vector<std::string> shown(const Variation& variation) {
  std::vector<std::string> texts;
  for (const VariedValue& value : variation.values) texts.push_back(to_string(value));
  return texts;
}

TEST(ImportVariation, IsABlockOrAGridOfOneToThreeAxes) {
  const auto block = parse_import_variation("block=64,16x16,8x8x4");
  ASSERT_TRUE(block);
  EXPECT_EQ(block->kind, Kind::Block);
  EXPECT_THAT(shown(*block), ElementsAre("64", "16x16", "8x8x4"));
  EXPECT_EQ(block->values[0].sizes, (ptx::Dimensions{64, 1, 1}));
  EXPECT_EQ(block->values[1].sizes, (ptx::Dimensions{16, 16, 1}));
  EXPECT_EQ(block->values[2].number, 256);
  EXPECT_THAT(shown(*parse_import_variation("grid=64:256:x2")), ElementsAre("64", "128", "256"));
  EXPECT_EQ(parse_import_variation("grid=4")->kind, Kind::Grid);
}

TEST(ImportVariation, IsAnArgumentByItsName) {
  const auto argument = parse_import_variation("arg.n=1048576,0.5");
  ASSERT_TRUE(argument);
  EXPECT_EQ(argument->kind, Kind::Argument);
  EXPECT_EQ(argument->target, "n");
  EXPECT_THAT(shown(*argument), ElementsAre("1048576", "0.5"));
}

TEST(ImportVariation, IsNoOtherName) {
  EXPECT_FALSE(parse_import_variation("group_size=64"));
  EXPECT_FALSE(parse_import_variation("n=64"));
}

TEST(ImportVariation, OfNoSizesIsRefused) {
  for (const char* text : {"block=0", "block=16x", "block=1x2x3x4", "block=1.5", "grid=16*16", "grid=0:2", "block="}) {
    try {
      parse_import_variation(text);
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("is not a size")) << text;
    }
  }
}

}  // namespace
}  // namespace warpipe
