#include "warpipe/idg/nearest_name.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpipe {
namespace {

const std::vector<std::string> kOps{"fadd", "fmul", "ffma", "global.load", "global.store", "barrier"};

TEST(NearestName, FindsEachKindOfEdit) {
  EXPECT_EQ(nearest_name("barier", kOps), "barrier");           // a letter missing
  EXPECT_EQ(nearest_name("barriere", kOps), "barrier");         // a letter too many
  EXPECT_EQ(nearest_name("global_load", kOps), "global.load");  // a letter replaced
  EXPECT_EQ(nearest_name("barreir", kOps), "barrier");          // two neighbours swapped
}

TEST(NearestName, CountsWhatStandsBeforeAName) {
  EXPECT_EQ(nearest_name("xxfadd", kOps), "fadd");
  const std::vector<std::string> behind{"faddyy"}, before{"xxfadd"};
  EXPECT_EQ(nearest_name("xxfadd", behind), "");  // 2 before and 2 behind: 4 of 6
  EXPECT_EQ(nearest_name("faddyy", before), "");
}

TEST(NearestName, CountsASwapAsOneEdit) {
  // "ba" -> "ab" is a single swap; as two replacements it would be farther from "ab" than "b" is (a letter less).
  const std::vector<std::string> names{"xyab", "xyb1"};
  EXPECT_EQ(nearest_name("xyba", names), "xyab");
}

TEST(NearestName, TakesTheFirstOfEquals) {
  const std::vector<std::string> names{"load_x", "load_y"};
  EXPECT_EQ(nearest_name("load_z", names), "load_x");
}

TEST(NearestName, PrefersFewerEditsToAnEarlierPlace) {
  const std::vector<std::string> names{"load_xy", "load_z1"};
  EXPECT_EQ(nearest_name("load_z", names), "load_z1");
}

TEST(NearestName, AllowsAThirdOfTheLengthAndAtLeastTwoEdits) {
  const std::vector<std::string> short_name{"fmul"};
  EXPECT_EQ(nearest_name("fxyl", short_name), "fmul");  // 2 of 4
  EXPECT_EQ(nearest_name("fxyz", short_name), "");      // 3
  const std::vector<std::string> long_name{"abcdefghijkl"};
  EXPECT_EQ(nearest_name("abcdefgh1234", long_name), "abcdefghijkl");  // 4 = 12 / 3
  EXPECT_EQ(nearest_name("abcdefg12345", long_name), "");              // 5
}

TEST(NearestName, GoesOnWhereANameWasOnlyBegun) {
  const std::vector<std::string> names{"set", "device"};
  EXPECT_EQ(nearest_name("dev", names), "device");  // "set" is two edits away, "device" three
}

TEST(NearestName, GoesOnRatherThanChange) {
  const std::vector<std::string> names{"a10", "v100"};
  EXPECT_EQ(nearest_name("v10", names), "v100") << "both are one edit away";
}

TEST(NearestName, TakesCapitalLettersForSmallOnes) {
  const std::vector<std::string> devices{"a100", "v100", "MI210"};
  EXPECT_EQ(nearest_name("V100", devices), "v100");
  EXPECT_EQ(nearest_name("mi21", devices), "MI210");
}

TEST(NearestName, TakesAnotherDigitForAnotherThing) {
  const std::vector<std::string> devices{"rtx2070", "rtx3080"};
  EXPECT_EQ(nearest_name("rtx4090", devices), "");
  EXPECT_EQ(nearest_name("rtx3070", devices), "");
  EXPECT_EQ(nearest_name("rtx308", devices), "rtx3080");
  EXPECT_EQ(nearest_name("rtx2700", devices), "rtx2070");  // swapped
}

TEST(NearestName, IsEmptyWhereNothingIsNear) {
  EXPECT_EQ(nearest_name("tensor.gather", kOps), "");
  EXPECT_EQ(nearest_name("fadd", {}), "");
  EXPECT_EQ(nearest_name("", kOps), "");
}

TEST(Suggest, AsksForTheNearest) { EXPECT_EQ(suggest("fad", kOps), "did you mean \"fadd\"?"); }

TEST(Suggest, ListsTheFamilyWhereThereIsMuch) {
  std::vector<std::string> devices{"RTX2070", "rtx3080", "rx6900xt"};
  for (int i = 0; i < 12; ++i) devices.push_back("simulated" + std::to_string(i));
  EXPECT_EQ(suggest("rtx4090", devices), "similar: RTX2070, rtx3080");
  EXPECT_EQ(suggest("radeon", devices), "");
}

TEST(Suggest, ListsWhatGoesOnAlikeWhereTheFamilyIsLarge) {
  std::vector<std::string> devices;
  for (int i = 0; i < 20; ++i) devices.push_back("rtx2" + std::to_string(100 + i));
  devices.insert(devices.end(), {"rtx3070", "rtx3080"});
  EXPECT_EQ(suggest("rtx3050", devices), "similar: rtx3070, rtx3080");
}

TEST(Suggest, ListsWhatThereIsWhereNothingIsNear) {
  const std::vector<std::string> few{"alpha", "beta"};
  EXPECT_EQ(suggest("something_else", few), "one of: alpha, beta");
  EXPECT_EQ(suggest("something_else", {}), "");
  EXPECT_EQ(suggest("something_else", std::vector<std::string>(100, "alpha")), "");
}

TEST(Suggest, NamesThoseThatHaveTheWordBetweenTheirDots) {
  const std::vector<std::string> ops{"imad", "global.load", "shared.load", "global.store", "shuffle.reduce"};
  EXPECT_EQ(suggest("load", ops), "one of: global.load, shared.load");  // "imad" is two letters off
  EXPECT_EQ(suggest("reduce", ops), "did you mean \"shuffle.reduce\"?");
  EXPECT_EQ(suggest("lod", ops), "one of: imad, global.load, shared.load, global.store, shuffle.reduce");
}

}  // namespace
}  // namespace warpipe
