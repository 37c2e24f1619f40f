#include <gmock/gmock.h>

#include <iterator>
#include <regex>

#include "golden.hpp"
#include "program.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> kVerbs{"simulate", "disassemble", "sweep",   "occupancy", "compare",    "roofline",
                                      "validate", "calibrate",   "what-if", "diff",      "graph",      "import",
                                      "derive",   "check",       "list",    "launches",  "completion", "man",
                                      "record",   "run",         "tune"};

TEST(Help, OfTheProgramReadsAsInTheGoldenFile) {
  const auto outcome = warpipe({"--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  expect_golden("help.txt", outcome.out);
}

TEST(Help, OfEachVerbReadsAsInItsGoldenFile) {
  for (const auto& verb : kVerbs) {
    const auto outcome = warpipe({verb, "--help"});
    EXPECT_EQ(outcome.status, 0) << verb;
    EXPECT_EQ(outcome.err, "") << verb;
    expect_golden("help_" + verb + ".txt", outcome.out);
  }
}

std::ptrdiff_t options_in(const std::string& help) {
  static const std::regex option("\n  (-., )?--[a-z-]+");
  return std::distance(std::sregex_iterator(help.begin(), help.end(), option), std::sregex_iterator());
}

TEST(Help, OfEachVerbShowsAtMostThirtyOptionsAndAllOnRequest) {
  for (const auto& verb : kVerbs) {
    const auto usual = warpipe({verb, "--help"}).out, all = warpipe({verb, "--help=all"}).out;
    EXPECT_LE(options_in(usual), 30) << verb;
    EXPECT_EQ(usual.find("rarely used: warpipe " + verb + " --help=all") != std::string::npos,
              options_in(all) > options_in(usual))
        << verb;
    EXPECT_EQ(warpipe({verb, "--help", "all"}).out, all) << verb;
  }
  expect_golden("help_simulate_all.txt", warpipe({"simulate", "--help=all"}).out);
}

TEST(Help, TakesAllAlone) {
  EXPECT_EQ(warpipe({"simulate", "--help=everything"}).status, 2);
  EXPECT_THAT(warpipe({"simulate", "--help=al"}).err, HasSubstr("did you mean \"all\"?"));
  EXPECT_EQ(warpipe({"simulate", "--help", "everything"}).out, warpipe({"simulate", "--help"}).out);
  EXPECT_EQ(warpipe({"--help=all"}).out, warpipe({"--help"}).out);
}

TEST(Help, OfTheProgramNamesEveryVerb) {
  const auto help = warpipe({"--help"}).out;
  for (const auto& verb : kVerbs) EXPECT_THAT(help, HasSubstr("\n  " + verb + " "));
}

TEST(Help, IsShortWhereNothingIsGivenAndTheStatusSaysUsage) {
  const auto outcome = warpipe({});
  EXPECT_EQ(outcome.status, 2);
  expect_golden("help_short.txt", outcome.out);
}

TEST(Help, IsAVerbToo) {
  EXPECT_EQ(warpipe({"help"}).out, warpipe({"--help"}).out);
  EXPECT_EQ(warpipe({"help", "sweep"}).out, warpipe({"sweep", "--help"}).out);
  EXPECT_EQ(warpipe({"help", "sweep", "all"}).out, warpipe({"sweep", "--help=all"}).out);
  EXPECT_THAT(warpipe({"help", "sweeq"}).err, HasSubstr("did you mean \"sweep\"?"));
}

TEST(Help, IsAskedForInShortToo) {
  EXPECT_EQ(warpipe({"-h"}).out, warpipe({"--help"}).out);
  EXPECT_EQ(warpipe({"graph", "-h"}).out, warpipe({"graph", "--help"}).out);
}

TEST(Help, OfEveryVerbHasQuietAndHelp) {
  for (const auto& verb : kVerbs) {
    EXPECT_THAT(warpipe({verb, "--help"}).out, HasSubstr("\n  -q, --quiet ")) << verb;
    EXPECT_THAT(warpipe({verb, "--help"}).out, HasSubstr("\n  -h, --help[=all] ")) << verb;
  }
}

/// The first line has the day of the program's configuration.
std::string without_date(const std::string& page) { return page.substr(page.find('\n') + 1); }

TEST(ManualPages, ReadAsInTheirGoldenFiles) {
  expect_golden("man.txt", without_date(warpipe({"man"}).out));
  expect_golden("man_completion.txt", without_date(warpipe({"man", "completion"}).out));
}

TEST(Help, FitsATerminal) {
  std::vector<std::vector<std::string>> calls{{}, {"--help"}};
  for (const auto& verb : kVerbs) calls.insert(calls.end(), {{verb, "--help"}, {verb, "--help=all"}});
  for (const auto& call : calls) {
    std::istringstream lines(warpipe(call).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

/// The words of a call, before a shell expands them.
std::vector<std::string> call_words(const std::string& call) {
  std::istringstream stream(call.substr(0, call.find_first_of("|)")));
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(Help, EndsWithExamplesOfOptionsThatTheVerbHas) {
  for (const auto& verb : kVerbs) {
    const auto help = warpipe({verb, "--help=all"}).out;
    const auto at = help.find("\nExamples:\n");
    ASSERT_NE(at, std::string::npos) << verb;
    std::istringstream lines(help.substr(at + 11));
    int examples = 0;
    for (std::string line; std::getline(lines, line); ++examples) {
      EXPECT_THAT(line, HasSubstr("warpipe " + verb));
      for (const auto& word : call_words(line)) {
        if (word == "--") break;
        const auto option = word.substr(0, word.find('='));
        if (!option.starts_with('-')) continue;
        EXPECT_THAT(help, testing::ContainsRegex("\n  (-., )?" + option + "[ ,\\[\n]"));
      }
    }
    EXPECT_GT(examples, 0) << verb;
  }
}

TEST(Version, IsALineAndSaysWhetherThereIsMpi) {
  const auto outcome = warpipe({"--version"});
  EXPECT_EQ(warpipe({"-V"}).out, outcome.out);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("warpipe "));
  EXPECT_THAT(outcome.out, testing::MatchesRegex("warpipe [0-9.]+\n(MPI: Open MPI [0-9.]+|built without MPI)\n"));
}

}  // namespace
}  // namespace warpipe::test
