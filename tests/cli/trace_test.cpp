#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "program.hpp"
#include "support/folders.hpp"
#include "support/sanitizers.hpp"
#include "trace_formats.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> traced(std::vector<std::string> arguments, const std::string& kernel = "worked",
                                const std::string& device = "tiny") {
  arguments.insert(arguments.begin(), {"simulate", kernel, "--device", device});
  return arguments;
}

/// The trace written by a run.
std::string trace_of(std::vector<std::string> arguments, const std::string& kernel = "worked",
                     const std::string& device = "tiny") {
  const Workplace workplace;
  arguments.insert(arguments.end(), {"--trace", "trace"});
  const auto outcome = workplace.run(traced(std::move(arguments), kernel, device));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return workplace.read("trace");
}

std::string with_replaced(std::string text, const std::string& old, const std::string& by) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), by);
}

/// `"name": "load", "ts": 6`, ... of the complete events of a category.
std::vector<std::string> slices(const std::string& trace, const std::string& category) {
  std::vector<std::string> slices;
  const auto parsed = nlohmann::json::parse(trace);
  for (const auto& event : parsed["traceEvents"])
    if (event.value("cat", "") == category && event["ph"] == "X")
      slices.push_back(event["name"].get<std::string>() + " " + event["ts"].dump() + "+" + event["dur"].dump());
  return slices;
}

TEST(Trace, OfMmul16FollowsTheTraceEventFormat) {
  if (kSanitized) GTEST_SKIP() << "half a minute of it; shorter runs go through the same code";
  EXPECT_EQ(problem_of_chrome_trace(trace_of({"--param", "n=256", "--window", "500:1500"}, "mmul16", "gtx1060")), "");
  const Workplace workplace;
  const auto outcome = workplace.run(traced({"--param", "n=256", "--trace", "t.json"}, "mmul16", "gtx1060"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string trace = workplace.read("t.json");
  EXPECT_LT(trace.size(), 50'000'000U);
  for (const char* name : {"\"unit 0\"", "\"slot 7 warp 7\"", "\"pipeline shared\"", "\"pipeline core, scheduler 3\"",
                           "\"waits for load_a\"", "\"group 0\"", "\"at the barrier\""})
    EXPECT_THAT(trace, HasSubstr(name)) << name;
  EXPECT_THAT(outcome.err, HasSubstr("t.json shows cycles 0 to "));
  EXPECT_THAT(outcome.err, HasSubstr("--window FROM:TO shows others"));
}

TEST(Trace, FollowsItsFormatForOtherKernelsDevicesAndUnits) {
  if (kSanitized) GTEST_SKIP() << "minutes of it; shorter runs go through the same code";
  const std::vector<std::vector<std::string>> launches{
      {"reduction", "v100", "--window", ":2000"},
      {"transpose_conflicts", "a100", "--units", "all", "--window", ":60"},
      {"stream_triad", "mi210", "--policy", "oldest", "--window", "1000:1500"},
      {"saxpy", "gtx480", "--window-groups", "3:4"},
      {"sgemm_v2", "rtx2070", "--window", ":500", "--window-warps", "0"}};
  for (const auto& launch : launches) {
    const std::vector<std::string> options(launch.begin() + 2, launch.end());
    EXPECT_EQ(problem_of_chrome_trace(trace_of(options, launch[0], launch[1])), "") << launch[0];
  }
}

// The worked example: index [0, 1), result at 6; loads at 6 and 14 for 8 each, the second's result at 414; fma to 415,
// result at 432; store to 440.
TEST(Trace, OfTheWorkedExampleShowsWhatItsWarpDoes) {
  const std::string trace = trace_of({});
  EXPECT_EQ(problem_of_chrome_trace(trace), "");
  EXPECT_THAT(slices(trace, "instruction"),
              testing::ElementsAre("index 0+1", "load_x 6+8", "load_y 14+8", "fma 414+1", "store_y 432+8"));
  EXPECT_THAT(slices(trace, "wait"),
              testing::ElementsAre("waits for index 1+5", "waits for load_y 22+392", "waits for fma 415+17"));
  EXPECT_THAT(slices(trace, "pipeline"),
              testing::ElementsAre("index 0+1", "load_x 6+8", "load_y 14+8", "fma 414+1", "store_y 432+8"));
  EXPECT_THAT(slices(trace, "group"), testing::ElementsAre("group 0 0+440"));
  EXPECT_THAT(trace, HasSubstr("\"waited\": {\"waits for load_y\": 392}"));
  EXPECT_THAT(trace, HasSubstr("1 us of the trace is 1 cycle"));
}

TEST(Trace, OfTheWorkedExampleReadsAsInTheGoldenFile) { expect_golden("trace_worked.json", trace_of({})); }

TEST(Trace, SaysNothingWhereAllIsShown) {
  const Workplace workplace;
  const auto outcome = workplace.run(traced({"--trace", "t"}));
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, warpipe(traced({})).out);
}

// The checks of the formats find wrong files.
TEST(TraceFormat, IsNotFollowedByWhatIsWrong) {
  const std::string trace = trace_of({});
  EXPECT_NE(problem_of_chrome_trace(with_replaced(trace, "\"dur\": 8", "\"dur\": 9")), "");  // reaches into the next
  EXPECT_NE(problem_of_chrome_trace(with_replaced(trace, "\"ph\": \"f\"", "\"ph\": \"s\"")), "");  // starts twice
  EXPECT_NE(problem_of_chrome_trace(with_replaced(trace, "thread_name", "thread_nam")), "");
  EXPECT_NE(problem_of_chrome_trace(with_replaced(trace, "\"ts\": 414", "\"ts\": 413.9999")), "");
  EXPECT_NE(problem_of_chrome_trace(with_replaced(trace, "\"ts\": 6, \"id\": 3", "\"ts\": 7, \"id\": 3")), "");
  EXPECT_NE(problem_of_chrome_trace(with_replaced(trace, "\"dur\": 1, ", "")), "");
  EXPECT_NE(problem_of_chrome_trace(trace.substr(0, trace.size() - 4)), "");
}

TEST(Trace, EscapesWhatKernelsHaveInTheirTexts) {
  std::ifstream file(in_sources("tests/cli/data/kernels/worked.json"));
  const std::string kernel{std::istreambuf_iterator<char>(file), {}};
  const Workplace workplace(Files{
      {"k.json", with_replaced(kernel, R"("op": "imad")", R"("op": "imad", "text": "a[\"\\\t\n\u00e9] = {};")")}});
  const auto outcome = workplace.run({"simulate", "k.json", "--device", "tiny", "--trace", "t"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(problem_of_chrome_trace(workplace.read("t")), "");
  EXPECT_THAT(workplace.read("t"), HasSubstr(R"("text": "a[\"\\\t\n)"));
}

// Four groups of a single warp in two slots per unit; two of them on the simulated unit.
TEST(Trace, AWindowShowsItsPart) {
  EXPECT_THAT(slices(trace_of({"--window", "415:416"}), "instruction"),
              testing::ElementsAre("fma 414+1", "store_y 432+8"));
  const std::vector<std::string> several{"--param", "n=128", "--concurrent-groups", "1"};
  auto second = several;
  second.insert(second.end(), {"--window-groups", "1"});
  EXPECT_THAT(slices(trace_of(several), "group"), testing::ElementsAre("group 0 0+440", "group 1 440+440"));
  EXPECT_THAT(slices(trace_of(second), "group"), testing::ElementsAre("group 1 440+440"));
  EXPECT_EQ(slices(trace_of(second), "instruction").size(), 5U);
}

TEST(Trace, RefusesWhatIsNoWindow) {
  const std::vector<std::vector<std::string>> wrong{
      {"--trace", "t", "--window", "5:2"},
      {"--trace", "t", "--window", "5:5"},
      {"--trace", "t", "--window", "five:six"},
      {"--trace", "t", "--window", "7"},
      {"--trace", "t", "--window", ":"},
      {"--trace", "t", "--window", "-5:2"},
      {"--trace", "t", "--window", "0:1e300"},
      {"--trace", "t", "--window", "0:nan"},
      {"--trace", "t", "--window", "1:2:3"},
      {"--trace", "t", "--window-groups", "3:1"},
      {"--trace", "t", "--window-groups", "1.5"},
      {"--trace", "t", "--window-warps", "-1"},
      {"--trace", "-"},
      {"--window", "0:10"},
      {"--window-groups", "0"},
  };
  for (const auto& arguments : wrong) {
    const Workplace workplace;
    const auto outcome = workplace.run(traced(arguments));
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(workplace.files().empty());
  }
}

TEST(Trace, SaysWhatAWindowMayShow) {
  const Workplace workplace;
  const auto late = workplace.run(traced({"--trace", "t", "--window", "441:"}));
  EXPECT_EQ(late.status, 4);
  EXPECT_THAT(late.err, HasSubstr("begins at cycle 441, after the end of the run at 440"));
  const auto group = workplace.run(traced({"--trace", "t", "--window-groups", "1"}));
  EXPECT_EQ(group.status, 4);
  EXPECT_THAT(group.err, HasSubstr("--window-groups"));
  const auto warp = workplace.run(traced({"--trace", "t", "--window-warps", "1"}));
  EXPECT_EQ(warp.status, 4);
  EXPECT_TRUE(workplace.files().empty());
}

TEST(Trace, SaysWhereItCannotBeWritten) {
  const Workplace workplace(Files{{"t", "old"}});
  EXPECT_EQ(workplace.run(traced({"--trace", workplace.path("")})).status, 3);
  EXPECT_EQ(workplace.run(traced({"--trace", "no/such/place"})).status, 3);
  EXPECT_EQ(workplace.run(traced({"--trace", "/dev/full"})).status, 1);
  Workplace::Settings full_disk;
  full_disk.small_files_only = true;
  EXPECT_EQ(workplace.run(traced({"--trace", "t"}), full_disk).status, 1);
  EXPECT_EQ(workplace.read("t"), "old");
}

TEST(Timeline, OfTheWorkedExampleReadsAsTheViewSays) {
  const auto outcome = warpipe(traced({"--view", "timeline"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_golden("timeline.txt", outcome.out);
}

TEST(Timeline, ShowsTheWindowThatIsAskedFor) {
  const auto text = warpipe(traced({"--view", "timeline", "--window", "410:440"})).out;
  EXPECT_THAT(text, HasSubstr("cycles 410 to 440 of 440, a column is a cycle"));
  EXPECT_THAT(text, HasSubstr("    0     0  load_y       global.load   eeeE\n"));
  EXPECT_THAT(text, HasSubstr("    0     0  fma          ffma          ====IeeeeeeeeeeeeeeeeE\n"));
  EXPECT_THAT(text, Not(HasSubstr("index")));
}

TEST(Occupancy, OverTimeOfOneGroupIsOneWarpFromStartToEnd) {
  // 440 cycles in buckets of 22; a single warp of the 8 for which a unit has room
  const auto text = warpipe(traced({"--view", "occupancy"})).out;
  EXPECT_THAT(text, HasSubstr("resident warps of the unit, which has room for 8\n"));
  EXPECT_THAT(text, HasSubstr("         418    1.0  ########\n"));
  EXPECT_THAT(text, HasSubstr("mean 1.0 (12.5 %), most 1, tail 0.0 % of the time"));
}

TEST(OverTime, ViewsAreMembersOfTheJsonResult) {
  const auto outcome = warpipe(traced({"--json", "--view", "timeline", "--view", "occupancy"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto result = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(result["timeline"]["executions"].size(), 5U);
  EXPECT_EQ(result["timeline"]["executions"][3]["issue"], 414);
  EXPECT_EQ(result["occupancy_over_time"]["buckets"].size(), 20U);
}

}  // namespace
}  // namespace warpipe::test
