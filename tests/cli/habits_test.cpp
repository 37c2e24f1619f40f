#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <regex>
#include <sstream>

#include "program.hpp"
#include "support/sanitizers.hpp"
#include "terminal.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kEscape = "\033[";

/// Standard error of a run, where it is a terminal.
std::string on_terminal(const std::vector<std::string>& arguments, std::map<std::string, std::string> environment,
                        const Files& files = {}) {
  Terminal terminal;
  Workplace::Settings settings;
  settings.standard_error = terminal.path();
  settings.environment = std::move(environment);
  Workplace(files).run(arguments, settings);
  return terminal.text();
}

/// Standard output of a run, where it is a terminal.
std::string shown_by(const std::vector<std::string>& arguments, std::map<std::string, std::string> environment) {
  Terminal terminal;
  Workplace::Settings settings;
  settings.standard_output = terminal.path();
  settings.environment = std::move(environment);
  const auto outcome = Workplace().run(arguments, settings);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return terminal.text();
}

const std::vector<std::string> kWrong{"simulate", "worked", "--device", "tiny", "--policy", "oldst"};

/// An instruction's own latency wins against --set, with a warning.
const Files kOwnLatency{{"own.json", R"({"format": "warpipe-kernel", "version": 1, "name": "own",
  "launch": {"group_size": 32, "groups": 1}, "body": [{"id": "a", "op": "ffma", "completion_latency": 5}]})"}};
const std::vector<std::string> kWarned{"simulate", "own.json", "--device", "tiny", "--set", "ffma.completion=9"};

/// Three points of more than a tenth of a second each, long enough for progress to show.
const std::vector<std::string> kLong{"sweep",         "mmul16",          "--device",       "gtx1060",    "--vary",
                                     "n=384,448,512", "--policy=oldest", "--skipping=off", "--threads=1"};

TEST(Colour, OfAnErrorIsRedOnATerminal) {
  EXPECT_THAT(on_terminal(kWrong, {{"TERM", "xterm"}}),
              StartsWith("\033[1m\033[31mwarpipe: error:\033[0m --policy: unknown value \"oldst\""));
}

TEST(Colour, OfAWarningIsYellowOnATerminal) {
  EXPECT_THAT(on_terminal(kWarned, {{"TERM", "xterm"}}, kOwnLatency), StartsWith("\033[33mwarpipe: warning:\033[0m "));
}

TEST(Colour, IsNotInAPipeOrFile) {
  Workplace::Settings settings;
  settings.environment = {{"TERM", "xterm"}};
  EXPECT_THAT(Workplace().run(kWrong, settings).err, StartsWith("warpipe: error: --policy"));
  EXPECT_THAT(Workplace().run({"simulate", "--help"}, settings).out, Not(HasSubstr(kEscape)));
}

TEST(Colour, IsOffWhereTheUserOrTheTerminalSaysSo) {
  const std::vector<std::map<std::string, std::string>> environments{
      {{"TERM", "xterm"}, {"NO_COLOR", "1"}}, {{"TERM", "dumb"}}, {{"TERM", ""}}, {}};
  for (const auto& environment : environments) {
    EXPECT_THAT(on_terminal(kWrong, environment), StartsWith("warpipe: error: --policy"));
    EXPECT_THAT(shown_by({"simulate", "--help"}, environment), Not(HasSubstr(kEscape)));
  }
}

TEST(Colour, IsOnWhereNoColorIsEmpty) {
  EXPECT_THAT(on_terminal(kWrong, {{"TERM", "xterm"}, {"NO_COLOR", ""}}), StartsWith(kEscape));
}

std::vector<std::string> with(std::vector<std::string> words, const std::string& more) {
  words.push_back(more);
  return words;
}

TEST(Colour, IsAsTheOptionSaysWhereverTheTextGoes) {
  constexpr std::string_view kRed = "\033[1m\033[31mwarpipe: error:\033[0m ";
  EXPECT_THAT(warpipe(with(kWrong, "--color=always")).err, StartsWith(kRed));
  EXPECT_THAT(on_terminal(with(kWrong, "--color=always"), {{"TERM", "xterm"}, {"NO_COLOR", "1"}}), StartsWith(kRed));
  EXPECT_THAT(on_terminal(with(kWrong, "--color=never"), {{"TERM", "xterm"}}), StartsWith("warpipe: error: --policy"));
  EXPECT_THAT(on_terminal(with(kWrong, "--color=auto"), {{"TERM", "xterm"}}), StartsWith(kRed));
  EXPECT_THAT(warpipe(with(kWrong, "--color=auto")).err, StartsWith("warpipe: error: --policy"));
  EXPECT_THAT(warpipe({"list", "--color=red", "devices"}).err, HasSubstr("one of: auto, always, never"));
}

TEST(Colour, OfAnotherProgramIsItsOwn) {
  const std::vector<std::string> words{"run", "--device", "nothing", "--", "./program", "--color=always"};
  EXPECT_THAT(warpipe(words).err, StartsWith("warpipe: error: "));
}

TEST(Colour, IsOnWhatLimitsARunAndNotInData) {
  const std::vector<std::string> words{"simulate", "saxpy", "--device", "v100", "--color=always"};
  EXPECT_THAT(warpipe(words).out, HasSubstr("\nLimited by \033[36mDRAM\033[0m: 12.58 MB go through it"));
  EXPECT_THAT(warpipe(with(words, "--json")).out, Not(HasSubstr(kEscape)));
}

TEST(Headings, AreBoldOnATerminalAndAllElseIsAsInAPipe) {
  for (const auto& arguments : {std::vector<std::string>{"simulate", "worked", "--device", "tiny", "--view", "all"},
                                std::vector<std::string>{"list", "--help"}}) {
    const auto shown = shown_by(arguments, {{"TERM", "xterm"}});
    EXPECT_THAT(shown, HasSubstr(kEscape));
    EXPECT_EQ(std::regex_replace(shown, std::regex("\033\\[[0-9]*m"), ""), warpipe(arguments).out);
  }
  EXPECT_THAT(shown_by({"simulate", "worked", "--device", "tiny", "--view", "bounds"}, {{"TERM", "xterm"}}),
              StartsWith("\033[1mBounds "));
}

/// Lines of a text, without the carriage returns of a pseudo terminal.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

const std::vector<std::string> kSourceView{"simulate", "saxpy", "--device", "v100", "--view", "source"};

std::vector<std::string> in_words(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

// A letter takes a column, and so does the ellipsis of three bytes.
TEST(Width, OfATerminalCutsTheSourceTextAndNothingElse) {
  const auto whole = lines_of(warpipe(kSourceView).out);
  const auto start = whole.front().find("  text") + 2;
  const auto width = start + 10;
  const auto shown = lines_of(shown_by(kSourceView, {{"COLUMNS", std::to_string(width)}}));
  ASSERT_EQ(shown.size(), whole.size());
  std::size_t cut = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (whole[i].size() <= width) {
      EXPECT_EQ(shown[i], whole[i]);
      continue;
    }
    ++cut;
    EXPECT_THAT(shown[i], EndsWith("…"));
    EXPECT_LE(shown[i].size(), width - 1 + 3);
    EXPECT_THAT(whole[i], StartsWith(shown[i].substr(0, shown[i].size() - 3)));
    EXPECT_GE(shown[i].size(), start) << "numbers stay whole";
  }
  EXPECT_GT(cut, 0U);
}

// Text is shown in eight columns or more.
TEST(Width, WithoutRoomForSourceTextLeavesItOut) {
  const auto whole = lines_of(warpipe(kSourceView).out);
  const auto start = whole.front().find("  text") + 2;
  const auto narrow = lines_of(shown_by(kSourceView, {{"COLUMNS", std::to_string(start + 7)}}));
  ASSERT_EQ(narrow.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const auto numbers = whole[i].substr(0, start);
    EXPECT_EQ(narrow[i], numbers.substr(0, numbers.find_last_not_of(' ') + 1));
  }
  EXPECT_THAT(shown_by(kSourceView, {{"COLUMNS", std::to_string(start + 8)}}), HasSubstr("…"));
}

// A row of two parts: all its words are there, in their order, and its first word twice.
TEST(Width, ThatATableDoesNotFitContinuesItBelow) {
  const std::vector<std::string> words{"sweep", "saxpy", "--device", "v100", "--vary", "concurrent_groups=1,2,4"};
  constexpr std::size_t kLines = 4;  // with the titles
  const auto whole = lines_of(warpipe(words).out);
  const auto shown = lines_of(shown_by(words, {{"COLUMNS", "80"}}));
  ASSERT_GT(whole.front().size(), 80U);
  ASSERT_EQ(shown.size(), whole.size() + kLines);
  for (const auto& line : shown) EXPECT_LE(line.size(), 80U) << line;
  for (std::size_t i = 0; i < kLines; ++i) {
    auto together = in_words(shown[i]);
    const auto below = in_words(shown[kLines + i]);
    ASSERT_FALSE(below.empty());
    EXPECT_EQ(below.front(), together.front());
    together.insert(together.end(), std::next(below.begin()), below.end());
    EXPECT_EQ(together, in_words(whole[i]));
  }
}

TEST(Width, BreaksWordsAtBlanks) {
  for (const auto& words : {std::vector<std::string>{"list", "ops"}, std::vector<std::string>{"list", "kernels"},
                            std::vector<std::string>{"list", "--help"}}) {
    const auto shown = shown_by(words, {{"COLUMNS", "60"}});
    for (const auto& line : lines_of(shown)) EXPECT_LE(line.size(), 60U) << line;
    EXPECT_EQ(in_words(shown), in_words(warpipe(words).out));
  }
}

TEST(Width, DoesNotMatterToData) {
  for (const auto& words : {std::vector<std::string>{"simulate", "saxpy", "--device", "v100", "--json"},
                            std::vector<std::string>{"graph", "saxpy"},
                            std::vector<std::string>{"sweep", "saxpy", "--device", "v100", "--vary", "n=1e6", "--csv"}})
    EXPECT_EQ(shown_by(words, {{"COLUMNS", "40"}}), warpipe(words).out);
}

TEST(Width, DoesNotMatterInAPipe) {
  Workplace::Settings settings;
  settings.environment = {{"COLUMNS", "70"}};
  EXPECT_EQ(Workplace().run(kSourceView, settings).out, warpipe(kSourceView).out);
}

TEST(Headings, ArePlainInJsonCsvAndGraphs) {
  for (const auto& arguments :
       {std::vector<std::string>{"simulate", "worked", "--device", "tiny", "--json"},
        std::vector<std::string>{"graph", "worked"}, std::vector<std::string>{"graph", "worked", "--format", "json"},
        std::vector<std::string>{"sweep", "worked", "--device", "tiny", "--vary", "trips=1,2", "--csv"}}) {
    EXPECT_EQ(shown_by(arguments, {{"TERM", "xterm"}}), warpipe(arguments).out);
  }
}

TEST(ProgressLine, IsShownOnATerminalAndClearedAtTheEnd) {
  const auto text = on_terminal(kLong, {});
  EXPECT_THAT(text, AllOf(ContainsRegex("warpipe: [012] of 3 points, .* left"), EndsWith("\r\033[K")));
}

/// Runs too long for a user to wait without a sign.
const std::vector<std::string> kSimulateMatrices{"simulate",        "mmul16",         "--device",
                                                 "gtx1060",         "--param",        "n=640",
                                                 "--policy=oldest", "--skipping=off", "--tolerance=0"};

TEST(ProgressLine, IsShownForOneSimulationAndForEachViewThatSimulatesAgain) {
  if (kSanitized) GTEST_SKIP() << "minutes of it; shorter runs go through the same code";
  EXPECT_THAT(on_terminal(kSimulateMatrices, {}),
              AllOf(ContainsRegex("warpipe: simulating, [0-9]+ %, .* left"), EndsWith("\r\033[K")));
  auto path = kSimulateMatrices;
  path.insert(path.end(), {"--view", "critical-path"});
  EXPECT_THAT(on_terminal(path, {}), ContainsRegex("warpipe: following the critical path, [0-9]+ %, .* left"));
}

TEST(LongWork, IsSaidBeforehandWithWhatWouldShortenIt) {
  if (kSanitized) GTEST_SKIP() << "minutes of it; shorter runs go through the same code";
  const std::vector<std::string> hours{"simulate", "worked",           "--device",       "tiny",
                                       "--param",  "trips=1000000000", "--skipping=off", "--tolerance=0"};
  const Workplace workplace;
  Workplace::Settings settings;
  settings.signals = {SIGTERM};
  settings.sent_when = [&] { return workplace.read(".err").find("make it shorter") != std::string::npos; };
  const auto outcome = workplace.run(hours, settings);
  EXPECT_THAT(outcome.err, ContainsRegex("^warpipe: warning: this may take up to .*; fewer --groups, smaller "
                                         "parameters, --skipping on would make it shorter\n$"));
}

TEST(ProgressLine, IsNotInAPipeNorWithQuiet) {
  if (kSanitized) GTEST_SKIP() << "minutes of it; shorter runs go through the same code";
  EXPECT_THAT(warpipe(kLong).err, IsEmpty());
  auto quiet = kLong;
  quiet.emplace_back("--quiet");
  EXPECT_THAT(on_terminal(quiet, {}), IsEmpty());
}

TEST(Quiet, SilencesWarningsAndLeavesResultsAndErrors) {
  auto quiet = kWarned;
  quiet.emplace_back("-q");
  const auto loud_outcome = Workplace(kOwnLatency).run(kWarned);
  const auto quiet_outcome = Workplace(kOwnLatency).run(quiet);
  EXPECT_THAT(loud_outcome.err, StartsWith("warpipe: warning: "));
  EXPECT_THAT(quiet_outcome.err, IsEmpty());
  EXPECT_EQ(quiet_outcome.out, loud_outcome.out);

  auto wrong = kWrong;
  wrong.emplace_back("--quiet");
  EXPECT_EQ(warpipe(wrong).err, warpipe(kWrong).err);
}

TEST(ShortHelp, HasThreeExamplesThatWork) {
  if (kSanitized) GTEST_SKIP() << "what these commands do, other tests do";
  const auto outcome = warpipe({});
  EXPECT_EQ(outcome.status, 2);
  std::istringstream lines(outcome.out);
  int examples = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  warpipe ")) continue;
    ++examples;
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    const auto run = warpipe({words.begin() + 1, words.end()});
    EXPECT_EQ(run.status, 0) << line << "\n" << run.err;
    EXPECT_THAT(run.out, Not(IsEmpty())) << line;
  }
  EXPECT_EQ(examples, 3);
}

TEST(ShortHelp, IsShorterThanAScreen) {
  const auto text = warpipe({}).out;
  EXPECT_LE(std::ranges::count(text, '\n'), 10);
}

}  // namespace
}  // namespace warpipe::test
