#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "golden.hpp"
#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

const std::string kProduct = in_sources("tests/cli/data/memory/product.json");
const std::string kCachedDevice = in_sources("tests/cli/data/memory/cached.json");

TEST(MemoryView, ReadsAsInTheGoldenFile) {
  const auto outcome = warpipe({"simulate", kProduct, "--device", kCachedDevice, "--view=memory"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_golden("simulate_memory.txt", outcome.out);
}

TEST(MemoryView, JsonReadsAsInTheGoldenFile) {
  const auto outcome = warpipe({"simulate", kProduct, "--device", kCachedDevice, "--json", "--view=memory"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_golden("simulate_memory.json", outcome.out);
}

// 64 groups of 16 x 16 elements of a product of 128 x 128: a row of a is 16 sectors shared by 8 groups, and both units
// have groups of each row of groups; all of it fits the second level beside the accesses in between.
TEST(MemoryView, OfAProductMovesWhatCanBeDerived) {
  const auto outcome = warpipe({"simulate", kProduct, "--device", kCachedDevice, "--json", "--view=memory"});
  const Json accesses = Json::parse(outcome.out).at("memory").at("accesses");
  const auto bytes = [&](std::size_t access, std::size_t level) {
    return accesses.at(access).at("levels").at(level).at("bytes").get<double>();
  };
  EXPECT_EQ(accesses.at(0).at("executions"), 64 * 8 * 128);
  EXPECT_EQ(bytes(0, 1), 2 * 4 * 128 * 128);  // once per unit
  EXPECT_EQ(bytes(0, 2), 4 * 128 * 128);      // once
  EXPECT_EQ(accesses.at(5).at("compulsory_bytes"), 4 * 128 * 128);
}

TEST(MemoryView, ASummarySaysWhoServesTheLoads) {
  const auto outcome = warpipe({"simulate", kProduct, "--device", kCachedDevice});
  EXPECT_THAT(outcome.out, HasSubstr("of the loads; of 1 of 6 accesses this is assumed"));
}

TEST(MemoryView, OfADeviceWithoutLevelsSaysSo) {
  const auto outcome = warpipe({"simulate", "worked", "--device", "tiny", "--view=memory"});
  EXPECT_EQ(outcome.out, "Memory: the device has no levels.\n");
}

TEST(MemoryView, LevelsThatAreLargerOrSaidOtherwiseChangeIt) {
  const auto dram_bytes = [&](const std::vector<std::string>& further) {
    std::vector<std::string> arguments{"simulate", kProduct, "--device", kCachedDevice, "--json", "--view=memory"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    const Json result = Json::parse(warpipe(arguments).out);
    double sum = 0;
    for (const Json& access : result.at("memory").at("accesses"))
      sum += access.at("levels").at(2).at("bytes").get<double>();
    return sum;
  };
  EXPECT_LT(dram_bytes({"--set-device", "memory/levels/l2/bytes=1048576"}), dram_bytes({}) / 2);
  EXPECT_EQ(dram_bytes({"--clock", "2e9"}), dram_bytes({}));
}

}  // namespace
}  // namespace warpipe::test
