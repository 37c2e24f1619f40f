#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string kPtxFolder = in_sources("kernels/cuda/ptx/sm_90/");

/// y = a x + y of 2^20 elements, a thread each.
const Words kSaxpy{kPtxFolder + "saxpy.ptx",
                   "--entry",
                   "saxpy",
                   "--block",
                   "256",
                   "--grid",
                   "4096",
                   "--arg",
                   "n=1048576",
                   "--device",
                   "h100"};

std::vector<nlohmann::json> rows(const Words& words) {
  const auto outcome = warpipe(words + Words{"--jsonl"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::vector<nlohmann::json> all;
  std::stringstream stream(outcome.out);
  for (std::string line; std::getline(stream, line);) all.push_back(nlohmann::json::parse(line));
  return all;
}

std::string result(const Words& words, const std::string& member) {
  const auto outcome = warpipe(words + Words{"--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out).at(member).dump();
}

// The order of blocks with equal work: with 64 threads the 32 groups held by a unit have half of its warps.
TEST(SweepOfPtx, ImportsTheKernelForEachBlock) {
  const auto points = rows(Words{"sweep"} + kSaxpy + Words{"--vary", "block=64,128,512"});
  ASSERT_EQ(points.size(), 3U);
  EXPECT_GT(points[0].at("time_us"), points[1].at("time_us"));
  EXPECT_GT(points[1].at("time_us"), points[2].at("time_us"));
  for (const auto& point : points) {
    const int block = point.at("block");
    auto alone = kSaxpy;
    alone[4] = std::to_string(block);
    alone[6] = std::to_string(1048576 / block);
    EXPECT_EQ(result(Words{"simulate"} + alone, "cycles"), point.at("cycles").dump()) << block;
  }
}

TEST(SweepOfPtx, TakesBlocksOfTwoAxesAndFurtherNames) {
  const Words product{kPtxFolder + "mmul.ptx",
                      "--entry",
                      "mmul_naive",
                      "--block",
                      "16,16",
                      "--grid",
                      "4,4",
                      "--arg",
                      "n=64",
                      "--device",
                      "h100"};
  const auto points = rows(Words{"sweep"} + product + Words{"--vary", "block=16x16,32x8", "concurrent_groups=1,2"});
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].at("block"), "16x16");
  EXPECT_EQ(points[3].at("block"), "32x8");
  EXPECT_EQ(points[3].at("concurrent_groups"), 2);
}

TEST(SweepOfPtx, SaysThatTheGridStaysWhereAnArgumentVaries) {
  const auto outcome = warpipe(Words{"sweep"} + kSaxpy + Words{"--vary", "arg.n=1048576,524288"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("arg.n varies and the grid does not"));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("The points do different work (arg.n varies)"), Not(HasSubstr("fastest:"))));
  const auto both = warpipe(Words{"sweep"} + kSaxpy + Words{"--vary", "arg.n=524288", "grid=2048"});
  EXPECT_THAT(both.err, Not(HasSubstr("the grid does not")));
}

TEST(SweepOfPtx, NeedsNoSizeThatVaries) {
  const Words saxpy{kPtxFolder + "saxpy.ptx", "--entry", "saxpy", "--arg", "n=1048576", "--device", "h100"};
  const auto points = rows(Words{"sweep"} + saxpy + Words{"--vary", "block=256", "grid=2048,4096"});
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(result(Words{"simulate"} + kSaxpy, "cycles"), points[1].at("cycles").dump());
}

TEST(SweepOfPtx, NeedsNoArgumentThatVaries) {
  Words words{"sweep"};
  for (const auto& word : kSaxpy)
    if (word != "--arg" && word != "n=1048576") words.push_back(word);
  EXPECT_EQ(warpipe(words + Words{"--vary", "arg.n=1048576", "grid=4096"}).status, 0);
}

TEST(SweepOfPtx, RefusesTheGroupSizeAndSaysWhatToVary) {
  for (const auto& [name, advice] :
       {std::pair("group_size=64,128", "--vary block="), {"groups=64,128", "--vary grid="}}) {
    const auto outcome = warpipe(Words{"sweep"} + kSaxpy + Words{"--vary", name});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr(advice));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(SweepOfPtx, IsResumed) {
  const Workplace place;
  const auto words = Words{"sweep"} + kSaxpy + Words{"--vary", "block=64,32x4,256", "--csv=rows.csv"};
  EXPECT_EQ(place.run(words).status, 0);
  const auto whole = place.read("rows.csv");
  place.write("rows.csv", whole.substr(0, whole.find("\r\n256,") + 2));
  EXPECT_EQ(place.run(words + Words{"--resume"}).status, 0);
  EXPECT_EQ(place.read("rows.csv"), whole);
}

TEST(Sweep, RefusesGroupSizesThatWouldDoLessWork) {
  const auto outcome =
      warpipe({"sweep", "mmul16", "--device", "gtx1060", "--param", "n=256", "--vary", "group_size=64,128,256"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("smaller groups would do less work"));
  EXPECT_THAT(outcome.out, IsEmpty());
}

// Groups of 8 warps on units of 64.
TEST(Sweep, LeavesOutResidentWarpsThatAreNoWholeNumberOfGroups) {
  const Words words{"sweep", "saxpy", "--device", "v100", "--csv", "--vary"};
  const auto outcome = warpipe(words + Words{"occupancy=1:64"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 1 + 8);
  EXPECT_THAT(outcome.err, HasSubstr("occupancy: 56 of 64 points are left out, whose resident warps are no whole "
                                     "number of groups\n"));
  const auto none = warpipe(words + Words{"occupancy=1:7"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("give multiples of 8"));
}

TEST(Sweep, JsonHasTheRowsThatJsonLinesHave) {
  const Words words{"sweep", "saxpy", "--device", "v100", "--vary", "concurrent_groups=1,2,8"};
  EXPECT_EQ(result(words, "points"), nlohmann::json(rows(words)).dump());
  EXPECT_EQ(result(words, "varied"), "[\"concurrent_groups\"]");
  const auto both = warpipe(words + Words{"--json", "--csv"});
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("--json: an object needs all points, and --csv writes them as they come"));
}

// A table of the best points has no curve: of 4 and 8 groups alone the bounds would cross elsewhere.
TEST(Sweep, SaysTheKneeOfAllPointsAlone) {
  const Words words{"sweep", "mmul16", "--device", "gtx1060", "--param", "n=256", "--vary", "concurrent_groups=1:4"};
  EXPECT_THAT(warpipe(words).out, HasSubstr("\nknee: "));
  EXPECT_THAT(warpipe(words + Words{"--top", "3"}).out, Not(HasSubstr("knee")));
}

TEST(Sweep, SaysWhatHasNoEffect) {
  EXPECT_THAT(warpipe({"sweep", "saxpy", "--device", "v100", "--vary", "shared.load.per_conflict.issue=1,2",
                       "concurrent_groups=1,8"})
                  .out,
              AllOf(HasSubstr("shared.load.per_conflict.issue has no effect in this launch"),
                    HasSubstr("\nfastest: concurrent_groups=8, ")));
}

TEST(Sweep, CallsNoSmallerProblemTheFastest) {
  const auto outcome = warpipe({"sweep", "saxpy", "--device", "v100", "--vary", "n=1024,1048576"});
  EXPECT_THAT(outcome.out, HasSubstr("The points do different work (n varies): none is called the fastest."));
  EXPECT_THAT(outcome.out, HasSubstr("highest throughput: n=1048576, "));
}

// The option changes the time of the units, not of the memory: with 14 bytes of work an element it stays below the
// table's 835 GB/s whatever the clock.
TEST(Clock, DoesNotMakeTheMemoryFaster) {
  const auto seconds = [](const std::string& clock) {
    return std::stod(
        result({"simulate", "saxpy", "--device", "v100", "--param", "n=16777216", "--clock", clock}, "time_s"));
  };
  const double bytes = 12.0 * 16777216;
  EXPECT_LT(bytes / seconds("5GHz"), 836e9);
  EXPECT_NEAR(seconds("5GHz") / seconds("1.38GHz"), 1, 0.05);
}

TEST(Clock, IsWrittenWithAUnitOrInHertz) {
  for (const char* clock : {"1.4GHz", "1400MHz", "1400000kHz", "1.4e9", "1400000000Hz"})
    EXPECT_EQ(result({"simulate", "worked", "--device", "tiny", "--clock", clock}, "clock_hz"), "1400000000") << clock;
}

TEST(Clock, ThatNoDeviceHasIsRefusedWithTheOneThatIsMeant) {
  const auto refusal = [](const std::string& clock) {
    const auto outcome = warpipe({"simulate", "worked", "--device", "tiny", "--clock", clock});
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  EXPECT_THAT(refusal("1400"), HasSubstr("did you mean 1400MHz?"));
  EXPECT_THAT(refusal("1.4"), HasSubstr("did you mean 1.4GHz?"));
  EXPECT_THAT(refusal("1e300"), HasSubstr("no device has a clock of 1e+300 Hz"));
  EXPECT_THAT(refusal("999kHz"), HasSubstr("from 1 MHz to 20 GHz"));
  EXPECT_THAT(refusal("fast"), HasSubstr("1.4GHz"));
}

TEST(Set, TakesTheNamesThatOtherVerbsPrint) {
  const auto time = [](const Words& more) {
    return std::stod(result(Words{"simulate", "saxpy", "--device", "gtx1060"} + more, "time_s"));
  };
  EXPECT_GT(time({"--set", "dram.read_bytes_per_s=16.6e9"}), 2 * time({}));
  const auto points = rows({"sweep", "saxpy", "--device", "gtx1060", "--vary", "dram.read_bytes_per_s=166e9,16.6e9"});
  EXPECT_DOUBLE_EQ(points[1].at("time_us").get<double>(), time({"--set", "dram.read_bytes_per_s=16.6e9"}) * 1e6);
}

TEST(Impossible, WorkOfOtherGroupsThanRanHasNoRate) {
  const auto outcome = warpipe({"simulate", "saxpy", "--device", "v100", "--groups", "1000000000"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("own 4096 groups of 256 threads"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("FLOP/s")));
}

TEST(Impossible, ConflictsOfMoreWaysThanAWarpHasLanesAreRefused) {
  const Words mmul{"simulate", "mmul16", "--device", "gtx1060", "--param"};
  EXPECT_EQ(warpipe(mmul + Words{"n=64", "conflict_degree=32"}).status, 0);
  const auto outcome = warpipe(mmul + Words{"n=64", "conflict_degree=33"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.err, HasSubstr("32 lanes of a warp cannot conflict 33 ways"));
}

TEST(Impossible, HalfAnElementIsRefused) {
  const auto outcome = warpipe({"simulate", "saxpy", "--device", "v100", "--param", "n=0.5"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.err, HasSubstr("0.5 is not whole"));
}

/// A load a thread, and more work than it could do: 128 bytes per warp of 2^20 warps.
std::string boasting(const std::string& work) {
  return R"({"format": "warpipe-kernel", "version": 1, "name": "k", "launch": {"group_size": 256, "groups": 131072},
    "work": {)" +
         work + R"(}, "body": [{"id": "a", "op": "global.load"}]})";
}

TEST(Impossible, ARateAboveTheBandwidthIsSaidInTextAndJsonAndPage) {
  const Workplace place(Files{{"k.json", boasting(R"("bytes": 1e9)")}});
  const Words words{"simulate", "k.json", "--device", "v100"};
  EXPECT_THAT(place.run(words).err, HasSubstr("above the memory bandwidth of v100, 900 GB/s"));
  const auto json = nlohmann::json::parse(place.run(words + Words{"--json"}).out);
  ASSERT_EQ(json.at("warnings").size(), 1U);
  EXPECT_THAT(json.at("warnings")[0].get<std::string>(), HasSubstr("above the memory bandwidth"));
  place.run(words + Words{"--html", "k.html"});
  EXPECT_THAT(place.read("k.html"), HasSubstr("above the memory bandwidth of v100"));
}

TEST(Summary, TellsCompulsoryBesideAssumedBytesWhereEveryLoadMisses) {
  const Workplace place(Files{{"k.json", boasting(R"("bytes": 134217728, "compulsory_bytes": 67108864)")}});
  EXPECT_THAT(place.run({"simulate", "k.json", "--device", "v100"}).out,
              HasSubstr("none: every global load goes to DRAM, 134.2 MB in all, 67.11 MB compulsory"));
}

}  // namespace
}  // namespace warpipe::test
