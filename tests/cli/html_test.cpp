#include <gmock/gmock.h>

#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const Words kSimulate{"simulate", "worked", "--device", "tiny"};
const Words kSweepTrips{"sweep", "worked", "--device", "tiny", "--vary", "trips=1:4"};
const Words kWhatIf{"what-if", "worked", "--device", "tiny"};
const Words kDiff{"diff", "worked", "worked", "--device", "tiny", "--device-b", "tiny"};
const Words kOccupancy{"occupancy", "worked", "--device", "tiny"};
const Words kCompare{"compare", "worked", "--device", "tiny"};
const Words kValidateRows{"validate", "--measured", "rows.csv"};
const Files kRowsFile{{"rows.csv", "kernel,device,cycles\nworked,tiny,440\n"}};

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A program built without npm says so, and these tests have nothing to look at.
class HtmlOption : public testing::TestWithParam<Words> {
 protected:
  void SetUp() override {
    const auto outcome = Workplace().run(with(kSimulate, {"--html", "page.html"}));
    if (outcome.status == 0) return;
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("--html"), HasSubstr("npm")));
    GTEST_SKIP() << "the build has no charts: the npm packages were missing";
  }
};

TEST_P(HtmlOption, WritesAPageBesideWhatTheVerbWritesWithoutIt) {
  const Workplace workplace(kRowsFile);
  const auto outcome = workplace.run(with(GetParam(), {"--html", "page.html"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, workplace.run(GetParam()).out);
  EXPECT_THAT(workplace.read("page.html"), AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("worked")));
}

TEST_P(HtmlOption, GoesToAFileOnly) {
  const Workplace workplace(kRowsFile);
  EXPECT_EQ(workplace.run(with(GetParam(), {"--html", "-"})).status, 2);
  const auto nowhere = workplace.run(with(GetParam(), {"--html", "none/page.html"}));
  EXPECT_EQ(nowhere.status, 3);
  EXPECT_THAT(nowhere.err, HasSubstr("none/page.html"));
  EXPECT_THAT(nowhere.out, IsEmpty());
}

class MarkdownOption : public testing::TestWithParam<Words> {};

TEST_P(MarkdownOption, WritesTablesBesideWhatTheVerbWritesWithoutIt) {
  const Workplace workplace(kRowsFile);
  const auto outcome = workplace.run(with(GetParam(), {"--markdown", "page.md"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, workplace.run(GetParam()).out);
  EXPECT_THAT(workplace.read("page.md"), AllOf(StartsWith("# "), HasSubstr("worked"),
                                               AnyOf(HasSubstr("\n| --"), HasSubstr("B takes as long as A"))));
}

TEST_P(MarkdownOption, GoesToAFileOnly) {
  const Workplace workplace(kRowsFile);
  const auto outcome = workplace.run(with(GetParam(), {"--markdown", "-"}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("give --markdown FILE"));
  EXPECT_EQ(workplace.run(with(GetParam(), {"--markdown", "none/page.md"})).status, 3);
}

const auto kVerbsWithPages =
    testing::Values(kSimulate, kSweepTrips, kWhatIf, kValidateRows, kDiff, kOccupancy, kCompare);
std::string name_of(const testing::TestParamInfo<Words>& words) {
  return words.param.front() == "what-if" ? "what_if" : words.param.front();
}
INSTANTIATE_TEST_SUITE_P(All, HtmlOption, kVerbsWithPages, name_of);
INSTANTIATE_TEST_SUITE_P(All, MarkdownOption, kVerbsWithPages, name_of);

TEST(HtmlOfRows, IsRefusedWhereRowsAreWrittenAsTheyCome) {
  const Workplace workplace(kRowsFile);
  for (const auto& words : {with(kSweepTrips, {"--csv=a.csv"}), with(kSweepTrips, {"--jsonl=a.jsonl"}),
                            with(kValidateRows, {"--csv=a.csv"}), with(kValidateRows, {"--models", "all"})}) {
    for (const char* option : {"--html", "--markdown"}) {
      const auto outcome = workplace.run(with(words, {option, "page"}));
      EXPECT_EQ(outcome.status, 2) << words.back();
      EXPECT_THAT(outcome.err, HasSubstr(option));
    }
  }
  EXPECT_THAT(workplace.files(), ElementsAre("rows.csv"));
}

TEST(Measured, StandsBesideThePredictionsWithTheErrors) {
  // The first takes 440 cycles at 1 GHz: of 0.4 us measured, 10 % more.
  const Workplace workplace(Files{{"launches.csv", "trips,time_us,kernel\n1,0.4,worked\n7,1,worked\n1,1,other\n"}});
  const auto outcome = workplace.run(with(kSweepTrips, {"--measured", "launches.csv"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("measured_us  error_percent"),
                                 HasSubstr("1 of 4 points measured: mean |error| 10.0 %, worst +10.0 % at trips=1")));
  EXPECT_EQ(workplace.run(with(kSweepTrips, {"--measured", "launches.csv", "--csv"})).status, 2);
}

TEST(Measured, OfWhatIsNoLaunchHasAColumnForEachName) {
  const Workplace workplace(
      Files{{"ops.csv", "imad.issue,time_ms,trips\n1,0.0004,1\n2,0.0004,3\n"}, {"no.csv", "trips,us\n1,2\n"}});
  const Words sweep{"sweep", "worked", "--device", "tiny", "--vary", "imad.issue=1,2"};
  const auto outcome = workplace.run(with(sweep, {"--param", "trips=1", "--measured", "ops.csv"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 of 2 points measured")) << "the other row is of another launch";
  EXPECT_THAT(outcome.err, HasSubstr("1 row is of no point of the sweep"));
  EXPECT_THAT(workplace.run(with(sweep, {"--measured", "no.csv"})).err, HasSubstr("\"imad.issue\""));
}

TEST(HtmlOfLaunches, HasEachKernel) {
  const Workplace workplace(
      Files{{"launches.jsonl",
             "{\"entry\": \"saxpy\", \"block\": 256, \"grid\": [64], \"arguments\": {\"n\": 16384}, "
             "\"times\": 3}\n"}});
  const Words launches{"launches", in_sources("kernels/cuda/ptx/sm_90/saxpy.ptx"), "launches.jsonl", "--device",
                       "h100"};
  const Workplace::Settings shipped{.environment = {{"WARPIPE_DATA", ""}}};
  EXPECT_EQ(workplace.run(with(launches, {"--markdown", "page.md"}), shipped).status, 0);
  EXPECT_THAT(workplace.read("page.md"),
              AllOf(StartsWith("# 3 launches on h100\n"), HasSubstr("sum of 3 launches"), HasSubstr("| saxpy |")));
  const auto outcome = workplace.run(with(launches, {"--html", "page.html"}), shipped);
  if (outcome.status == 3) GTEST_SKIP() << outcome.err;
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(workplace.read("page.html"), AllOf(HasSubstr("3 launches on h100"), HasSubstr("saxpy")));
}

}  // namespace
}  // namespace warpipe::test
