// `warpipe launches`: several launches of a program, and their sum.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string kSaxpyPtx = in_sources("kernels/cuda/ptx/sm_90/saxpy.ptx");

constexpr const char* kTwoLaunches = R"({"entry": "saxpy", "block": 256, "grid": [64], "arguments": {"n": 16384}}

{"entry": "saxpy_grid", "grid": 8, "block": [128, 1], "arguments": {"n": "4096"}, "times": 10}
)";

Outcome launches(const std::string& file, const Words& more = {}) {
  return Workplace(Files{{"l.jsonl", file}})
      .run(Words{"launches", kSaxpyPtx, "l.jsonl", "--device", "h100"} + more, {.environment = {{"WARPIPE_DATA", ""}}});
}

/// The result of simulate for the same launch.
nlohmann::json simulated(const Words& more) {
  const auto outcome = Workplace().run(Words{"simulate", kSaxpyPtx, "--device", "h100", "--json", "--quiet"} + more,
                                       {.environment = {{"WARPIPE_DATA", ""}}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out);
}

TEST(Launches, EachTakesWhatSimulateSaysAndTheSumIsTheirs) {
  const auto outcome = launches(kTwoLaunches, {"--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto program = nlohmann::json::parse(outcome.out);
  const auto first = simulated({"--entry=saxpy", "--block=256", "--grid=64", "--arg", "n=16384"});
  const auto second = simulated({"--entry=saxpy_grid_stride", "--block=128", "--grid=8", "--arg", "n=4096"});
  ASSERT_EQ(program["launches"].size(), 2U);
  EXPECT_EQ(program["launches"][0]["cycles"], first["cycles"]);
  EXPECT_EQ(program["launches"][1]["cycles"], second["cycles"]);
  EXPECT_EQ(program["launches"][0]["line"], 1);
  EXPECT_EQ(program["launches"][1]["line"], 3) << "blank lines count";
  EXPECT_EQ(program["launches"][1]["entry"], "saxpy_grid_stride");
  const double time = first["time_s"].get<double>() + 10 * second["time_s"].get<double>();
  EXPECT_DOUBLE_EQ(program["sum"]["time_s"].get<double>(), time);
  const double total = first["total_time_s"].get<double>() + 10 * second["total_time_s"].get<double>();
  EXPECT_GE(program["sum"]["total_time_s"].get<double>(), total);
  EXPECT_EQ(program["sum"]["launches"], 11);
  EXPECT_DOUBLE_EQ(program["launches"][1]["share"].get<double>(), 10 * second["time_s"].get<double>() / time);
}

TEST(Launches, TextAndCsvHoldTheSum) {
  EXPECT_THAT(launches(kTwoLaunches).out, AllOf(HasSubstr("\nsum of 11 launches on h100: "), HasSubstr(" %  "),
                                                HasSubstr(", with launch overhead ")));
  const auto csv = launches(kTwoLaunches, {"--csv"}).out;
  EXPECT_THAT(
      csv, testing::StartsWith(
               "line,entry,block,grid,times,cycles,time_us,low_us,high_us,total_time_us,sum_us,share,limiter,error\r\n"
               "1,saxpy,256,64,1,"));
  EXPECT_THAT(csv, HasSubstr("\r\n,sum,,,11,,,"));
  EXPECT_THAT(launches(kTwoLaunches, {"--csv", "--range=off"}).out, HasSubstr(",cycles,time_us,total_time_us,"));
}

TEST(Launches, TheRangeOfTheSumIsWhereAllLaunchesAreAtTheSameEnd) {
  const auto program = nlohmann::json::parse(launches(kTwoLaunches, {"--json"}).out);
  const auto& each = program["launches"];
  for (const auto& [end, of_sum] : {std::pair{"low_us", "low_s"}, {"high_us", "high_s"}})
    EXPECT_DOUBLE_EQ(program["sum"][of_sum].get<double>() * 1e6,
                     each[0][end].get<double>() + 10 * each[1][end].get<double>());
  EXPECT_LT(program["sum"]["low_s"], program["sum"]["time_s"]);
  EXPECT_GT(program["sum"]["high_s"], program["sum"]["time_s"]);
}

TEST(Launches, WhatALineDoesNotSayIsAsTheCommandLineSays) {
  const Words usual{"--entry=saxpy", "--block=256", "--grid=64", "--arg", "n=16384", "a=2"};
  const auto all = launches("{}\n{\"arguments\": {\"n\": 1}}\n{\"grid\": [8]}\n", usual + Words{"--json"});
  ASSERT_EQ(all.status, 0) << all.err;
  const auto program = nlohmann::json::parse(all.out);
  EXPECT_EQ(program["launches"][0]["cycles"], simulated(usual)["cycles"]);
  EXPECT_LT(program["launches"][1]["cycles"], program["launches"][0]["cycles"]) << "n = 1";
  EXPECT_EQ(program["launches"][2]["grid"], "8");
}

// Equal lines are predicted once: facts of a line alone have to stay.
TEST(Launches, LinesThatSayTheSameKeepTheirPlacesTheirTimesAndTheirMessages) {
  const std::string a = R"({"entry": "saxpy", "block": 256, "grid": 64, "arguments": {"n": 16384})";
  const std::string b = R"({"entry": "saxpy_grid", "block": 128, "grid": 8, "arguments": {"n": 4096})";
  const std::string wrong = R"({"entry": "saxpy", "block": 256, "grid": 1, "arguments": {"q": 1}})";
  const auto outcome = launches(
      fmt::format("{0}}}\n{1}}}\n{2}\n{1}, \"times\": 3}}\n{0}, \"times\": 2}}\n{2}\n", a, b, wrong), {"--json"});
  EXPECT_EQ(outcome.status, 4);
  const auto program = nlohmann::json::parse(outcome.out);
  const auto& rows = program["launches"];
  ASSERT_EQ(rows.size(), 6U);
  const auto of = [&](const char* key) {
    std::vector<nlohmann::json> values;
    for (const auto& row : rows) values.push_back(row.value(key, nlohmann::json()));
    return values;
  };
  EXPECT_EQ(of("line"), (std::vector<nlohmann::json>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(of("times"), (std::vector<nlohmann::json>{1, 1, 1, 3, 2, 1}));
  EXPECT_EQ(of("block"), (std::vector<nlohmann::json>{"256", "128", "256", "128", "256", "256"}));
  EXPECT_EQ(of("cycles")[3], of("cycles")[1]);
  EXPECT_EQ(of("cycles")[4], of("cycles")[0]);
  EXPECT_NE(of("cycles")[0], of("cycles")[1]);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("l.jsonl: line 3: arguments q: "), HasSubstr("l.jsonl: line 6: arguments q: ")));
}

TEST(Launches, AnEntryThatIsNotThereIsToldOfEachLineThatNamesIt) {
  const std::string line = "{\"entry\": \"saxpi\", \"block\": 1, \"grid\": 1}\n";
  EXPECT_THAT(launches(line + line).err, AllOf(HasSubstr("line 1: "), HasSubstr("line 2: ")));
}

TEST(Launches, LinesThatSayTheSameAreAskedAboutOnce) {
  const Workplace place(Files{{"l.jsonl", R"({"block": 256, "arguments": {"n": 4096}}
{"block": 128, "arguments": {"n": 4096}}
{"block": 256, "arguments": {"n": 4096}, "times": 7}
{"block": 256, "arguments": {"n": 4096}}
)"},
                              {"ptxas",
                               "#!/bin/sh\necho called >> calls\n"
                               "echo \"ptxas info    : Compiling entry function 'saxpy' for 'sm_90'\"\n"
                               "echo 'ptxas info    : Used 11 registers, 380 bytes cmem[0]'\n"}});
  std::filesystem::permissions(place.path("ptxas"), std::filesystem::perms::owner_all);
  const auto outcome =
      place.run({"launches", kSaxpyPtx, "l.jsonl", "--device=h100", "--entry=saxpy", "--grid=16", "--ptxas"},
                {.environment = {{"WARPIPE_DATA", ""}, {"PTXAS", place.path("ptxas")}}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(place.read("calls"), "called\ncalled\n");
}

TEST(Launches, DoNotDependOnThreads) {
  std::string many;
  for (int i = 1; i <= 12; ++i)
    many +=
        fmt::format("{{\"entry\": \"saxpy\", \"block\": 64, \"grid\": {0}, \"arguments\": {{\"n\": {0}000}}}}\n", i);
  EXPECT_EQ(launches(many, {"--threads=1"}).out, launches(many, {"--threads=7"}).out);
}

TEST(Launches, ProblemsOfTheFileAreAllToldWithTheirLines) {
  const auto outcome = launches(R"({"entry": "saxpy", "blok": 256, "grid": 4}
{nonsense
[1]
{"entry": "saxpy", "block": [], "grid": "x", "times": 0, "arguments": {"n": null}, "arrays": {"x": 3}}
{"entry": "saxpy", "block": 32, "taken": {"L": 2}}
{"entry": "saxpy", "block": 32, "grid": 1, "times": 1e13}
)");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.out, IsEmpty());
  for (const char* part :
       {"l.jsonl: line 1: /blok: unknown key \"blok\"; did you mean \"block\"?", "l.jsonl: line 2: not JSON",
        "l.jsonl: line 3: /: an object is expected", "line 4: /block: the sizes", "line 4: /grid: a whole number",
        "line 4: /times", "line 4: /arguments/n", "line 4: /arrays/x", "line 5: /taken/L: a number from 0 to 1",
        "line 5: /: the grid is missing", "line 6: /times: a launch can be repeated at most 10^12 times"})
    EXPECT_THAT(outcome.err, HasSubstr(part));
  EXPECT_THAT(launches("\n \n").err, HasSubstr("there is no launch in it"));
}

TEST(Launches, EntriesAndBlocksAreFoundBeforeAnyIsSimulated) {
  const auto outcome =
      launches("{\"entry\": \"saxpi\", \"block\": 1, \"grid\": 1}\n{\"entry\": \"saxpy\", \"grid\": 1}\n");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("l.jsonl: line 1: "), HasSubstr("did you mean \"saxpy\"?"),
                                 HasSubstr("l.jsonl: line 2: block: it is missing"), Not(HasSubstr("--block"))));
}

TEST(Launches, AFailedOneIsNoPartOfTheSumAndAnError) {
  const auto outcome = launches(std::string(kTwoLaunches) +
                                "{\"entry\": \"saxpy\", \"block\": 256, \"grid\": 1, \"arguments\": {\"q\": 1}, "
                                "\"times\": 3}\n{\"entry\": \"saxpy\", \"block\": 256, \"grid\": 1}\n");
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("sum of 11 launches"), HasSubstr("; without 4 that failed\n"), HasSubstr("failed\n")));
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("l.jsonl: line 4: arguments q: \"saxpy\" has no such parameter"),
                                 HasSubstr("l.jsonl: line 5: "), HasSubstr("give arguments n=VALUE")));
}

TEST(Launches, AreOfProgramsOnly) {
  const Workplace place(Files{{"l.jsonl", "{}"}});
  EXPECT_THAT(place.run({"launches", "worked", "l.jsonl", "--device=tiny", "--grid=1"}).err, HasSubstr("--grid"));
  EXPECT_THAT(place.run({"launches", "worked", "--device=tiny"}).err,
              HasSubstr("LAUNCHES.jsonl: this argument is missing"));
  EXPECT_EQ(place.run({"launches", kSaxpyPtx, "l.jsonl", "more", "--device=tiny"}).status, 2);
  EXPECT_THAT(place.run({"launches", "-", "-", "--device=tiny"}).err,
              HasSubstr("standard input can be read only once"));
}

}  // namespace
}  // namespace warpipe::test
