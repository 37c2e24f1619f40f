#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.hpp"

namespace warpipe::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> simulate_to(const std::string& file) {
  return {"simulate", "worked", "--device", "tiny", "--json=" + file};
}

TEST(Output, GoesToAFileAndLeavesStandardOutputEmpty) {
  const Workplace workplace;
  const auto outcome = workplace.run(simulate_to("result.json"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(workplace.read("result.json"), warpipe(simulate_to("-")).out);
  EXPECT_THAT(workplace.files(), ElementsAre("result.json"));
}

TEST(Output, GoesToAFileBesideAViewOnStandardOutput) {
  const Workplace workplace;
  const auto outcome = workplace.run({"simulate", "worked", "--device", "tiny", "--json=r.json", "--view=bounds"});
  EXPECT_THAT(outcome.out, HasSubstr("Bounds"));
  EXPECT_THAT(workplace.read("r.json"), HasSubstr("warpipe-result"));
}

TEST(Output, ReplacesAFileAndKeepsItsMode) {
  const Workplace workplace(Files{{"result.json", "old"}});
  ASSERT_EQ(::chmod(workplace.path("result.json").c_str(), 0640), 0);
  EXPECT_EQ(workplace.run(simulate_to("result.json")).status, 0);
  EXPECT_THAT(workplace.read("result.json"), HasSubstr("warpipe-result"));
  struct stat status {};
  ASSERT_EQ(::stat(workplace.path("result.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(Output, FollowsASymbolicLink) {
  const Workplace workplace(Files{{"real.json", "old"}});
  ASSERT_EQ(::symlink("real.json", workplace.path("link.json").c_str()), 0);
  EXPECT_EQ(workplace.run(simulate_to("link.json")).status, 0);
  EXPECT_THAT(workplace.read("real.json"), HasSubstr("warpipe-result"));
}

TEST(Output, StaysWholeWhereTheRunFails) {
  const Workplace workplace(Files{{"result.json", "old"}});
  EXPECT_EQ(
      workplace
          .run({"simulate", "worked", "--device", "tiny", "--groups=9", "--concurrent-groups=5", "--json=result.json"})
          .status,
      4);
  EXPECT_EQ(workplace.read("result.json"), "old");
  EXPECT_THAT(workplace.files(), ElementsAre("result.json"));
}

TEST(Output, IsCheckedBeforeTheLongWork) {
  // A million points would take longer than the minute for which the test waits.
  const auto outcome =
      warpipe({"sweep", "worked", "--device", "tiny", "--vary", "trips=1000000:1999999", "--csv=none/a.csv"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("none/a.csv"));
}

TEST(Output, OnAFullDiskNamesThePlaceAndTheWayOut) {
  const auto outcome = warpipe(simulate_to("/dev/full"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("/dev/full: the result could not be written: No space left on device; free"));
}

TEST(Output, StaysWholeWhereTheWriteFails) {
  const Workplace workplace(Files{{"result.json", "old"}});
  const auto outcome = workplace.run(simulate_to("result.json"), {.small_files_only = true});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("result.json: the result could not be written: File too large"));
  EXPECT_EQ(workplace.read("result.json"), "old");
  EXPECT_THAT(workplace.files(), ElementsAre("result.json"));
}

TEST(Output, OnAFullStandardOutputIsAnErrorForEveryVerb) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"simulate", "worked", "--device", "tiny"},
                                             {"list", "kernels"},
                                             {"--help"},
                                             {"--version"},
                                             {"graph", "worked"}}) {
    const auto outcome = Workplace().run(arguments, {.standard_output = "/dev/full"});
    EXPECT_EQ(outcome.status, 1) << arguments.front();
    EXPECT_THAT(outcome.err, HasSubstr("standard output: the result could not be written"));
  }
}

TEST(Output, WithoutAReaderEndsQuietly) {
  const auto outcome = Workplace().run({"list", "kernels"}, {.reader_has_gone = true});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
}

TEST(Output, IsTheSameInEveryLocale) {
  const std::vector<std::string> arguments{"simulate", "worked", "--device", "tiny", "--clock", "1.5e9", "--json"};
  for (const std::string locale : {"de_DE.UTF-8", "C.UTF-8", "no_SUCH"}) {
    const auto outcome = Workplace().run(arguments, {.environment = {{"LC_ALL", locale}, {"LANG", locale}}});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, warpipe(arguments).out);
  }
}

TEST(Output, SaysNothingOfProgressWhereStandardErrorIsNoTerminal) {
  const auto outcome = warpipe({"sweep", "worked", "--device", "tiny", "--vary", "trips=1:100", "--csv"});
  EXPECT_EQ(outcome.err, "");
}

}  // namespace
}  // namespace warpipe::test
