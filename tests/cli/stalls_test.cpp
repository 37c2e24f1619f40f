#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "golden.hpp"
#include "program.hpp"

namespace warpipe::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

TEST(StallViews, ReadAsInTheGoldenFile) {
  const auto outcome = warpipe({"simulate", "worked", "--device", "tiny", "--view=stalls", "--view=instructions"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_golden("simulate_stalls.txt", outcome.out);
}

TEST(StallViews, JsonReadsAsInTheGoldenFile) {
  const auto outcome =
      warpipe({"simulate", "worked", "--device", "tiny", "--json", "--view=stalls", "--view=instructions"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_golden("simulate_stalls.json", outcome.out);
}

// 440 cycles of a warp: 6 + 400 + 18, less the issues of the producers (1, 8 and 1), are waits; behind the index a load
// waits for it and a load waits 8 for the pipeline; the store takes the last 8.
TEST(StallViews, OfTheWorkedExampleAreWhatTheModelSays) {
  const auto outcome = warpipe({"simulate", "worked", "--device", "tiny", "--json", "--view=stalls"});
  const auto states = Json::parse(outcome.out).at("stalls").at("by_state");
  EXPECT_EQ(states.at("result_cycles"), (6 - 1) + (400 - 8) + (18 - 1));
  EXPECT_EQ(states.at("issuing_cycles"), 1 + 8 + 8 + 1 + 8);
  EXPECT_EQ(states.at("pipeline_cycles"), 0);  // the second load waits for the first of its own warp, still issuing
  EXPECT_EQ(states.at("slot_empty_cycles"), 0);
}

TEST(StallViews, AllUnitsShowTheLeastAndTheMostOfAUnit) {
  const auto outcome =
      warpipe({"simulate", "saxpy", "--device", "v100", "--groups=200", "--units=all", "--view=stalls"});
  EXPECT_THAT(outcome.out, HasSubstr("least of a unit"));
}

TEST(StallViews, AViewThatIsAskedForTwiceIsOneMemberOfTheJson) {
  const auto once = warpipe({"simulate", "worked", "--device", "tiny", "--json", "--view=stalls"});
  const auto twice = warpipe({"simulate", "worked", "--device", "tiny", "--json", "--view=stalls", "--view=stalls"});
  EXPECT_EQ(twice.out, once.out);
}

}  // namespace
}  // namespace warpipe::test
