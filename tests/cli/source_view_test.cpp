#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "golden.hpp"
#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;

Json source_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return Json::parse(outcome.out).at("source");
}

constexpr const char* kProductKernel = "tests/cli/data/memory/product.json";
constexpr const char* kDeviceWithCaches = "tests/cli/data/memory/cached.json";

TEST(SourceViewJson, ReadsAsInTheGoldenFile) {
  const auto outcome = warpipe(
      {"simulate", in_sources(kProductKernel), "--device", in_sources(kDeviceWithCaches), "--json", "--view=source"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_golden("simulate_source.json", outcome.out);
}

// One warp, 440 cycles: the index issues for 1; the first load waits 6 - 1 for it and issues for 8, and so does the
// second load, without a wait; the sum waits 400 - 8 for it and issues for 1; the store waits 18 - 1 and issues for 8.
TEST(SourceViewJson, CyclesOfTheWorkedExampleAreWhatTheModelSays) {
  std::vector<double> cycles;
  double share = 0;
  for (const auto& line : source_of(warpipe({"simulate", "worked", "--device=tiny", "--json", "--view=source"}))) {
    cycles.push_back(line.at("cycles"));
    share += line.at("share").get<double>();
  }
  EXPECT_THAT(cycles, ElementsAre(1, 5 + 8, 8, 392 + 1, 17 + 8));
  EXPECT_NEAR(share, 1, 1e-12);
}

// Of "load_half" and "load_unknown" the kernel says no address: how many bytes of a sector they use is not known.
TEST(SourceViewJson, AccessesWithoutAddressesHaveNoSectors) {
  const auto outcome = warpipe(
      {"simulate", in_sources(kProductKernel), "--device", in_sources(kDeviceWithCaches), "--json", "--view=source"});
  std::vector<std::string> places;
  for (const auto& line : source_of(outcome))
    if (line.contains("sectors")) places.push_back(line.at("place"));
  EXPECT_THAT(places, ElementsAre("load_a", "load_b", "look_up", "store_c"));
}

// saxpy.cu: line 9, `y[i] = a * x[i] + y[i];`, loads twice and stores once, floats of neighbours: 32 of 32 bytes. No
// other line of the kernel has an access.
TEST(SourceViewJson, LinesOfPtxHaveTheTextOfTheFileBesideIt) {
  const Workplace place;
  std::filesystem::copy_file(in_sources("kernels/cuda/ptx/sm_80/saxpy.ptx"), place.path("saxpy.ptx"));
  std::filesystem::copy_file(in_sources("kernels/cuda/saxpy.cu"), place.path("saxpy.cu"));
  const auto outcome = place.run({"simulate", "saxpy.ptx", "--entry=saxpy", "--device=v100", "--block=256", "--grid=64",
                                  "--arg", "n=16384", "--json", "--view=source"});
  std::vector<Json> accesses;
  for (const auto& line : source_of(outcome))
    if (line.contains("sectors")) accesses.push_back(line);
  ASSERT_EQ(accesses.size(), 1U);
  EXPECT_EQ(accesses[0].at("place"), "saxpy.cu:9");
  EXPECT_EQ(accesses[0].at("text"), "    y[i] = a * x[i] + y[i];");
  EXPECT_EQ(accesses[0].at("sectors"), Json({{"bytes", 32}, {"loaded", 32}, {"stored", 32}}));
  EXPECT_EQ(accesses[0].at("executions"), 64 * 256 / 32);
}

}  // namespace
}  // namespace warpipe::test
