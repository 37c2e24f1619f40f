#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "golden.hpp"
#include "program.hpp"

namespace warpipe::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

TEST(CriticalPath, ReadsAsInTheGoldenFile) {
  const auto outcome = warpipe({"simulate", "reduction", "--device", "v100", "--view=critical-path"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_golden("simulate_critical_path.txt", outcome.out);
}

// 6 for the index, 8 for the first load's place in the pipeline, 400 and 18 for results, 8 until the store has issued.
TEST(CriticalPath, OfTheWorkedExampleIsWhatTheModelSays) {
  const Workplace place;
  const auto outcome = place.run({"simulate", "worked", "--device=tiny", "--json=r.json", "--view=critical-path"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::map<std::string, double> cycles;
  const auto result = Json::parse(place.read("r.json"));
  for (const auto& part : result.at("critical_path").at("parts"))
    cycles[part.at("edge").get<std::string>() + " " + part.at("instruction").get<std::string>()] = part.at("cycles");
  EXPECT_EQ(cycles, (std::map<std::string, double>{{"result index", 6},
                                                   {"pipeline load_x", 8},
                                                   {"result load_y", 400},
                                                   {"result fma", 18},
                                                   {"drain store_y", 8}}));
}

TEST(CriticalPath, JsonReadsAsInTheGoldenFile) {
  const auto outcome = warpipe({"simulate", "worked", "--device", "tiny", "--json", "--view=critical-path"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_golden("simulate_critical_path.json", outcome.out);
}

// A warp issues 5 instructions a trip.
TEST(CriticalPath, IsLeftOutOfAllViewsOfALongRun) {
  const auto all = [](const std::string& trips, std::vector<std::string> more) {
    more.insert(more.begin(), {"simulate", "worked", "--device=tiny", "--param", "trips=" + trips, "--view=all"});
    return warpipe(more).out;
  };
  EXPECT_THAT(all("400", {}), HasSubstr("\nCritical path   "));
  EXPECT_THAT(all("4000001", {}), HasSubstr("not followed unasked through more than 20000000 warp instructions"));
  EXPECT_TRUE(Json::parse(all("4000001", {"--json"})).at("critical_path").is_null());
}

TEST(CriticalPath, RefusesARunThatWouldTakeTooLongToFollow) {
  const auto outcome =
      warpipe({"simulate", "worked", "--device=tiny", "--param", "trips=1000000000", "--view=critical-path"});
  EXPECT_EQ(outcome.status, 4) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("critical path"));
}

}  // namespace
}  // namespace warpipe::test
