#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;

// With skipping the fourth billion of trips takes no time, without it minutes: a run without skipping stands there
// until it is interrupted, and a run with skipping goes on. Skipping changes no result.
const Words kSweep{"sweep", "worked", "--device", "tiny", "--vary", "trips=1,2,3,4,5,4000000000,7,8"};
constexpr auto kMeasured =
    "kernel,device,trips,cycles\nworked,tiny,1,440\nworked,tiny,2,900\nnone,tiny,3,1\n"
    "worked,tiny,4000000000,7\nworked,tiny,5,2000\n";
const Words kValidate{"validate", "--measured", "measured.csv"};

Workplace::Settings interrupted_at(std::ptrdiff_t lines, std::vector<int> signals) {
  Workplace::Settings settings;
  settings.signals = std::move(signals);
  settings.sent_at = {"rows", lines};
  return settings;
}

std::string first_lines(const std::string& text, int lines) {
  std::size_t end = 0;
  for (int i = 0; i < lines; ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

struct Interruption {
  std::string name;
  Words command;
  std::string form;
  int lines_before;  ///< rows before the point of minutes
  std::string said;
};

class Interrupted : public testing::TestWithParam<Interruption> {
 protected:
  std::string whole() const {
    const Workplace workplace(Files{{"measured.csv", kMeasured}});
    EXPECT_EQ(workplace.run(GetParam().command + Words{GetParam().form + "=rows"}).status, 0);
    return workplace.read("rows");
  }
};

TEST_P(Interrupted, AndResumedGivesTheSameBytesOnAnyNumberOfThreads) {
  const auto expected = whole();
  for (const std::string threads : {"1", "2", "5"}) {
    const Workplace workplace(Files{{"measured.csv", kMeasured}});
    const auto command = GetParam().command + Words{GetParam().form + "=rows", "--threads", threads};
    const auto cut =
        workplace.run(command + Words{"--skipping=off"}, interrupted_at(GetParam().lines_before, {SIGINT}));
    EXPECT_EQ(cut.status, 130);
    EXPECT_THAT(cut.err, HasSubstr("warpipe: interrupted after " + GetParam().said));
    EXPECT_THAT(cut.err, HasSubstr("they are in rows; the same command with --resume goes on from there"));
    EXPECT_EQ(workplace.read("rows"), first_lines(expected, GetParam().lines_before));
    const auto resumed = workplace.run(command + Words{"--resume"});
    EXPECT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_EQ(workplace.read("rows"), expected) << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, Interrupted,
                         testing::Values(Interruption{"SweepToCsv", kSweep, "--csv", 6, "5 of 8 points"},
                                         Interruption{"SweepToJsonLines", kSweep, "--jsonl", 5, "5 of 8 points"},
                                         Interruption{"ValidateToCsv", kValidate, "--csv", 4, "3 of 5 rows"}),
                         [](const auto& tested) { return tested.param.name; });

TEST(Interrupt, BySigtermEndsWithThatSignalsStatus) {
  const auto outcome = Workplace().run(kSweep + Words{"--csv=rows", "--skipping=off"}, interrupted_at(6, {SIGTERM}));
  EXPECT_EQ(outcome.status, 143);
  EXPECT_THAT(outcome.err, HasSubstr("interrupted after 5 of 8 points"));
}

// The lower number would be taken first, were it not ignored.
TEST(Interrupt, StaysIgnoredWhereItWas) {
  auto settings = interrupted_at(6, {SIGINT, SIGTERM});
  settings.interrupts_ignored = true;
  EXPECT_EQ(Workplace().run(kSweep + Words{"--csv=rows", "--skipping=off"}, settings).status, 143);
}

// The old rows may be hours of work, and the command a slip.
TEST(RowsThatAreThere, StayUntilTheNewOnesAreDone) {
  const auto command = kSweep + Words{"--csv=rows"};
  const Workplace whole, workplace(Files{{"rows", "old"}});
  EXPECT_EQ(whole.run(command).status, 0);
  for (const int signal : {SIGINT, SIGKILL}) {
    Workplace::Settings settings;
    settings.signals = {signal};
    settings.sent_at = {"rows.part", 6};
    const auto cut = workplace.run(command + Words{"--skipping=off"}, settings);
    EXPECT_EQ(cut.status, 128 + signal);
    EXPECT_EQ(workplace.read("rows"), "old");
    EXPECT_EQ(workplace.read("rows.part"), first_lines(whole.read("rows"), 6));
    if (signal == SIGINT) {
      EXPECT_THAT(cut.err, HasSubstr("they are in rows.part, the old rows are as they were; the same command"));
      std::filesystem::remove(workplace.path("rows.part"));
    }
  }
  EXPECT_EQ(workplace.run(command + Words{"--resume"}).status, 0);
  EXPECT_EQ(workplace.read("rows"), whole.read("rows"));
  EXPECT_THAT(workplace.files(), testing::ElementsAre("rows"));
}

TEST(RowsThatAreThere, AreReplacedByThoseOfAWholeRun) {
  const auto command = kSweep + Words{"--csv=rows"};
  const Workplace whole, workplace(Files{{"rows", "old"}});
  EXPECT_EQ(whole.run(command).status, 0);
  EXPECT_EQ(workplace.run(command).status, 0);
  EXPECT_EQ(workplace.read("rows"), whole.read("rows"));
  EXPECT_THAT(workplace.files(), testing::ElementsAre("rows"));
}

TEST(RowsThatAreThere, StayWhereTheDiskIsFull) {
  const Workplace workplace(Files{{"rows", "old"}});
  const auto full = workplace.run({"sweep", "worked", "--device", "tiny", "--vary", "trips=1:100", "--csv=rows"},
                                  {.small_files_only = true});
  EXPECT_EQ(full.status, 1);
  EXPECT_THAT(full.err, HasSubstr("rows.part: the result could not be written: File too large"));
  EXPECT_EQ(workplace.read("rows"), "old");
}

TEST(RowsThatAreThere, AreNotBegunAnewWhereAnotherRunHasLeftThem) {
  const Workplace workplace(Files{{"rows.part", "left"}});
  const auto outcome = workplace.run(kSweep + Words{"--csv=rows"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("go on with them by --resume, or remove it"));
  EXPECT_EQ(workplace.read("rows.part"), "left");
}

/// Some of its points fail, with quotes and commas in the error.
const Words kSmall{"sweep", "worked", "--device",          "tiny",     "--param",
                   "n=256", "--vary", "group_size=64,256", "trips=1,2"};

class Resume : public testing::TestWithParam<std::string> {
 protected:
  std::string form() const { return GetParam() + "=rows"; }
  std::string whole() const {
    const Workplace workplace;
    EXPECT_EQ(workplace.run(kSmall + Words{form()}).status, 0);
    return workplace.read("rows");
  }
};

TEST_P(Resume, GivesTheWholeFileWhereverItWasCut) {
  const auto expected = whole();
  const Workplace workplace;
  for (std::size_t bytes = 0; bytes <= expected.size(); bytes += 7) {
    workplace.write("rows", expected.substr(0, bytes));
    const auto outcome = workplace.run(kSmall + Words{form(), "--resume"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(workplace.read("rows"), expected) << bytes;
  }
}

TEST_P(Resume, StartsWhereThereIsNoFile) {
  const Workplace workplace;
  EXPECT_EQ(workplace.run(kSmall + Words{form(), "--resume"}).status, 0);
  EXPECT_EQ(workplace.read("rows"), whole());
}

TEST_P(Resume, NamesTheFirstDifferenceToTheRowsOfAnotherCommandAndLeavesThem) {
  const bool csv = GetParam() == "--csv";
  for (const auto& [varied, said] :
       std::vector<std::pair<Words, std::string>>{{{"group_size=64,256", "trips=1,3"},
                                                   csv ? "rows: line 3, column \"trips\""
                                                       : "rows: line 2: the rows of another command: "
                                                         "found \"trips\": 2 instead of \"trips\": 3"},
                                                  {{"group_size=64", "trips=1,2"}, "instead of nothing"},
                                                  {{"n=64,256", "trips=1,2"},
                                                   csv ? "line 1: "
                                                       : "line 1: the rows of another command: "
                                                         "found {\"group_size\": 64 instead of {\"n\": 64"}}) {
    const Workplace workplace(Files{{"rows", whole()}});
    const auto outcome = workplace.run(
        Words{"sweep", "worked", "--device", "tiny", "--param=n=256", form(), "--resume", "--vary"} + varied);
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.err, HasSubstr(said));
    EXPECT_EQ(workplace.read("rows"), whole());
  }
}

// The last row in the file is computed again.
TEST_P(Resume, NoticesAnotherLatency) {
  const auto left = first_lines(whole(), GetParam() == "--csv" ? 3 : 2);
  const Workplace workplace(Files{{"rows", left}});
  const auto outcome = workplace.run(kSmall + Words{form(), "--resume", "--set", "ffma.completion=19"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("cycles"));
  EXPECT_EQ(workplace.read("rows"), left);
}

INSTANTIATE_TEST_SUITE_P(Forms, Resume, testing::Values("--csv", "--jsonl"),
                         [](const auto& tested) { return tested.param == "--csv" ? "Csv" : "JsonLines"; });

TEST(ResumeOption, KeepsFailedRows) {
  const Workplace workplace;
  EXPECT_EQ(workplace.run(kSmall + Words{"--csv=rows"}).status, 0);
  // The third point fails; its row, marked here, stays.
  auto rows = workplace.read("rows");
  const auto error = rows.find("256,1,");
  ASSERT_NE(error, std::string::npos);
  rows.insert(rows.find("\r\n", error), "!");
  workplace.write("rows", rows);
  EXPECT_EQ(workplace.run(kSmall + Words{"--csv=rows", "--resume"}).status, 0);
  EXPECT_EQ(workplace.read("rows"), rows);
}

TEST(ResumeOption, GoesOnBehindTheWholeRowsThatAFullDiskLeft) {
  const Words command{"sweep", "worked", "--device", "tiny", "--vary", "trips=1:100", "--csv=rows"};
  const Workplace whole, workplace;
  EXPECT_EQ(whole.run(command).status, 0);
  const auto full = workplace.run(command, {.small_files_only = true});
  EXPECT_EQ(full.status, 1);
  EXPECT_THAT(full.err, HasSubstr("rows: the result could not be written: File too large"));
  const auto left = workplace.read("rows");
  EXPECT_THAT(left, testing::EndsWith("\r\n"));
  EXPECT_THAT(whole.read("rows"), testing::StartsWith(left));
  // A row has fewer than 60 bytes, so the limit of 512 lets some through.
  EXPECT_GT(left.size(), 512U - 60U);
  EXPECT_EQ(workplace.run(command + Words{"--resume"}).status, 0);
  EXPECT_EQ(workplace.read("rows"), whole.read("rows"));
}

TEST(ResumeOption, NeedsAFile) {
  for (const Words& where : {Words{}, Words{"--csv"}, Words{"--csv=-"}, Words{"--jsonl=/dev/null"}}) {
    const auto outcome = warpipe(kSmall + where + Words{"--resume"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--resume: there is no file of rows to go on with"));
  }
}

}  // namespace
}  // namespace warpipe::test
