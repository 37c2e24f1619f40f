#include <gmock/gmock.h>

#include <fstream>

#include "golden.hpp"
#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

/// The result of a run that must succeed with an empty standard error.
std::string output_of_verb(const std::vector<std::string>& arguments) {
  const auto outcome = warpipe(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

TEST(Simulate, WorkedExampleTakes440Cycles) {
  // Rule 10 of the model: 6 + 8 + 400 + 18 + 8 cycles, 0.44 us at 1 GHz.
  const auto text = output_of_verb({"simulate", "worked", "--device", "tiny"});
  EXPECT_THAT(text, HasSubstr("440 at 1 GHz"));
  EXPECT_THAT(text, HasSubstr("0.44 us"));
  expect_golden("simulate.txt", text);
}

TEST(Simulate, JsonReadsAsInTheGoldenFile) {
  expect_golden("simulate.json", output_of_verb({"simulate", "worked", "--device=tiny", "--json"}));
}

TEST(Simulate, PrintsTheViewsThatAreAskedForInTheirOrder) {
  const auto text = output_of_verb({"simulate", "worked", "--device", "tiny", "--view", "launch", "--view=bounds"});
  EXPECT_THAT(text, StartsWith("Launch"));
  EXPECT_THAT(text, HasSubstr("\nBounds"));
  EXPECT_THAT(text, Not(HasSubstr("Pipelines")));
}

TEST(Simulate, OptionsReplaceWhatTheFilesSay) {
  // The load's completion 400 -> 100: 6 + 8 + 100 + 18 + 8; then all of ffma times 2: 18 -> 36.
  EXPECT_THAT(
      output_of_verb({"simulate", "worked", "--device", "tiny", "--set", "global.load.completion=100", "--json"}),
      HasSubstr("\"cycles\": 140,"));
  EXPECT_THAT(output_of_verb({"simulate", "worked", "--device", "tiny", "--scale", "ffma=2", "--json"}),
              HasSubstr("\"cycles\": 458,"));
}

// The load of "worked" takes 400 cycles; "saxpy" has no access to shared memory.
TEST(Simulate, SaysWhichNumbersHaveNoEffect) {
  const auto said = [](const std::string& set) {
    return warpipe({"simulate", "worked", "--device", "tiny", "--set", set}).err;
  };
  const auto* none = "has no effect in this launch";
  EXPECT_THAT(warpipe({"simulate", "saxpy", "--device", "v100", "--set", "shared.load.per_conflict.issue=7"}).err,
              HasSubstr("--set shared.load.per_conflict.issue has no effect in this launch"));
  EXPECT_THAT(said("global.load.completion=400"), HasSubstr(none)) << "that is what it is";
  EXPECT_THAT(said("global.load.completion=100"), testing::Not(HasSubstr(none)));
  EXPECT_THAT(said("clock_hz=2e9"), testing::Not(HasSubstr(none))) << "the same cycles are another time";
}

TEST(Simulate, TakesSeveralValuesAtOnceOrTheOptionRepeated) {
  const auto at_once =
      output_of_verb({"simulate", "worked", "--device", "tiny", "--param", "n=64", "trips=3", "--json"});
  EXPECT_EQ(at_once,
            output_of_verb({"simulate", "worked", "--device", "tiny", "--param", "n=64", "--param=trips=3", "--json"}));
  EXPECT_THAT(at_once, HasSubstr("\"from\": \"command line\""));
}

TEST(Simulate, SeveralValuesEndBeforeTheKernel) {
  EXPECT_EQ(output_of_verb({"simulate", "--device", "tiny", "--param", "n=64", "worked"}),
            output_of_verb({"simulate", "worked", "--device", "tiny", "--param", "n=64"}));
}

TEST(Simulate, OptionalValueDoesNotEatTheKernel) {
  EXPECT_EQ(output_of_verb({"simulate", "--json", "worked", "--device", "tiny"}),
            output_of_verb({"simulate", "worked", "--device", "tiny", "--json"}));
}

TEST(Simulate, ReadsAKernelFromStandardInput) {
  const Workplace workplace;
  std::ifstream file(in_sources("tests/cli/data/kernels/worked.json"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto outcome = workplace.run({"simulate", "-", "--device", "tiny"}, {.standard_input = text});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, output_of_verb({"simulate", "worked", "--device", "tiny"}));
}

TEST(Simulate, FindsNamesInTheDirectoryOfTheOptionFirst) {
  const Workplace workplace;
  const auto outcome = workplace.run({"simulate", "worked", "--device", "tiny", "--data", in_sources("tests/cli/data")},
                                     {.environment = {{"WARPIPE_DATA", "/"}}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(Simulate, FindsTheShippedKernelsBesideTheProgram) {
  EXPECT_EQ(warpipe({"simulate", "saxpy", "--device", "v100"}).status, 0);
}

TEST(Simulate, WarnsWhereAnInstructionsOwnLatencyWins) {
  const Workplace workplace(Files{{"own.json",
                                   R"({"format": "warpipe-kernel", "version": 1, "name": "own",
          "launch": {"group_size": 32, "groups": 1},
          "body": [{"id": "a", "op": "ffma", "completion_latency": 5}]})"}});
  const auto outcome = workplace.run({"simulate", "own.json", "--device", "tiny", "--set", "ffma.completion=9"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, StartsWith("warpipe: warning: "));
  EXPECT_THAT(outcome.err, HasSubstr("\"a\""));
}

TEST(Sweep, LastVariationIsTheFastest) {
  const auto csv = output_of_verb({"sweep", "worked", "--device", "tiny", "--vary", "n=32,64", "trips=1:2", "--csv"});
  EXPECT_THAT(csv, MatchesRegex("n,trips,[^\n]*\n32,1,[^\n]*\n32,2,[^\n]*\n64,1,[^\n]*\n64,2,[^\n]*\n"));
  expect_golden("sweep_worked.csv", csv);
}

TEST(Sweep, TextAndJsonLinesReadAsInTheGoldenFiles) {
  const std::vector<std::string> sweep{"sweep", "worked", "--device", "tiny", "--vary", "n=1000,64"};
  const auto text = warpipe(sweep);
  EXPECT_EQ(text.status, 0);
  expect_golden("sweep_worked.txt", without_paths(text.out));
  auto as_lines = sweep;
  as_lines.emplace_back("--jsonl");
  expect_golden("sweep_worked.jsonl", without_paths(warpipe(as_lines).out));
}

TEST(Sweep, IsTheSameOnAnyNumberOfThreads) {
  const std::vector<std::string> sweep{"sweep", "worked", "--device", "tiny", "--vary", "trips=1:200", "--csv"};
  auto alone = sweep, crowded = sweep;
  alone.insert(alone.end(), {"--threads", "1"});
  crowded.insert(crowded.end(), {"--threads", "8"});
  EXPECT_EQ(output_of_verb(alone), output_of_verb(crowded));
}

TEST(Sweep, WhereSomePointsFailTheOthersCount) {
  // 256 threads are more than the 128 of a group.
  const auto outcome =
      warpipe({"sweep", "worked", "--device", "tiny", "--vary", "group_size=32,256", "--param", "n=256"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("threads_per_group"));
}

TEST(Sweep, WhereAllPointsFailTheStatusSaysSoAndTheRowsAreThere) {
  const auto outcome = warpipe({"sweep", "worked", "--device", "tiny", "--vary", "group_size=256,512", "--csv"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.out, HasSubstr("\n512,"));
  EXPECT_THAT(outcome.err, HasSubstr("none of the 2 points"));
}

TEST(Occupancy, ReadsAsInTheGoldenFiles) {
  // A group of 64 threads has 2 warps: by warps 8 / 2 = 4 groups, by registers 8192 / (2 x 32 x 32) = 4.
  const auto text =
      output_of_verb({"occupancy", "worked", "--device", "tiny", "--group-size", "64", "--param", "n=1024"});
  expect_golden("occupancy_worked.txt", text);
  expect_golden("occupancy_worked.json", output_of_verb({"occupancy", "worked", "--device", "tiny", "--json"}));
}

TEST(Occupancy, NeedsNoNumberOfGroups) {
  const Workplace workplace(Files{{"open.json", R"({"format": "warpipe-kernel", "version": 1, "name": "open",
      "launch": {"group_size": 32}, "body": [{"id": "a", "op": "ffma"}]})"}});
  EXPECT_EQ(workplace.run({"occupancy", "open.json", "--device", "tiny"}).status, 0);
}

TEST(Validate, ReadsAsInTheGoldenFiles) {
  // Predicted 0.44 us: +10 % of 0.4, -12 % of 0.5.
  const Workplace workplace(
      Files{{"measured.csv", "kernel,device,n,time_us\nworked,tiny,32,0.4\nworked,tiny,32,0.5\n"}});
  const auto text = workplace.run({"validate", "--measured", "measured.csv"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("11.0"));
  expect_golden("validate.txt", text.out);
  expect_golden("validate.json", workplace.run({"validate", "--measured", "measured.csv", "--json"}).out);
  expect_golden("validate.csv", workplace.run({"validate", "--measured", "measured.csv", "--csv"}).out);
}

TEST(Validate, OptionStandsForAMissingColumn) {
  const Workplace workplace(Files{{"measured.csv", "kernel,cycles\nworked,440\n"}});
  const auto outcome = workplace.run({"validate", "--measured", "measured.csv", "--device", "tiny", "--csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(",cycles,440,440,0,"));
}

TEST(Validate, FileCountsUnderTheNameInsideIt) {
  const Workplace workplace(Files{{"measured.csv", "kernel,device,cycles\nworked,tiny,440\n"}});
  const auto outcome = workplace.run({"validate", "--measured", "measured.csv", "--kernel",
                                      in_sources("tests/cli/data/kernels/worked.json"), "--csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(",440,440,0,"));
}

TEST(Graph, EachFormatReadsAsInItsGoldenFile) {
  for (const std::string format : {"dot", "json"}) {
    expect_golden("graph." + format, output_of_verb({"graph", "worked", "--device", "tiny", "--format", format}));
  }
}

TEST(Graph, WithoutADeviceHasNoLatencies) {
  const auto text = output_of_verb({"graph", "worked"});
  EXPECT_THAT(text, HasSubstr("load_x"));
  EXPECT_THAT(text, Not(HasSubstr("400")));
}

TEST(Check, GoodFilesAreOk) {
  EXPECT_EQ(without_paths(output_of_verb({"check", in_sources("tests/cli/data/kernels/worked.json"),
                                          in_sources("tests/cli/data/devices/tiny.json")})),
            "DATA/kernels/worked.json: kernel worked: ok\nDATA/devices/tiny.json: device tiny: ok\n");
}

TEST(Check, ReportsEveryProblemOfEveryFileAndTheGoodOnesToo) {
  const Workplace workplace(Files{{"a.json", R"({"format": "warpipe-kernel", "version": 1, "nam": "a", "body": []})"},
                                  {"b.json", R"({"format": "warpipe-kernl", "version": 1})"}});
  const auto outcome = workplace.run({"check", "a.json", in_sources("tests/cli/data/devices/tiny.json"), "b.json"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.out, HasSubstr("device tiny: ok"));
  EXPECT_THAT(outcome.err, HasSubstr("\"nam\""));
  EXPECT_THAT(outcome.err, HasSubstr("/body"));
  EXPECT_THAT(outcome.err, HasSubstr("b.json"));
}

// Rule 3: without an earlier execution there is nothing to wait for. So it is no error.
TEST(Check, WarnsOfAWaitThatNeverBinds) {
  const Workplace workplace(Files{{"a.json", R"({"format": "warpipe-kernel", "version": 1, "name": "k",
      "launch": {"group_size": 32, "groups": 1, "concurrent_groups": 1},
      "body": [{"id": "a", "op": "ffma", "after": ["a"]}]})"}});
  const std::string warning =
      "warpipe: warning: a.json: /body/0/after/0: \"a\" never waits here: no loop is around it, so that nothing of it "
      "comes before\n";
  const auto checked = workplace.run({"check", "a.json"});
  EXPECT_EQ(checked.status, 0);
  EXPECT_EQ(checked.out, "a.json: kernel k: ok\n");
  EXPECT_EQ(checked.err, warning);
  EXPECT_THAT(workplace.run({"simulate", "a.json", "--device", "tiny"}).err, HasSubstr(warning));
}

TEST(List, NamesWhatShipsWithALineEach) {
  EXPECT_THAT(output_of_verb({"list", "kernels"}), HasSubstr("worked  "));
  EXPECT_THAT(output_of_verb({"list", "devices"}), HasSubstr("A small device for tests\n"));
  EXPECT_THAT(output_of_verb({"list", "ops"}), HasSubstr("all devices"));
}

}  // namespace
}  // namespace warpipe::test
