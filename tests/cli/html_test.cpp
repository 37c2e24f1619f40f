#include <gmock/gmock.h>

#include "program.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const Words kSimulate{"simulate", "worked", "--device", "tiny"};
const Words kSweepTrips{"sweep", "worked", "--device", "tiny", "--vary", "trips=1:4"};
const Words kWhatIf{"what-if", "worked", "--device", "tiny"};
const Words kValidateRows{"validate", "--measured", "rows.csv"};
const Files kRowsFile{{"rows.csv", "kernel,device,cycles\nworked,tiny,440\n"}};

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A program that was built without npm says so, and these tests have nothing to look at.
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

INSTANTIATE_TEST_SUITE_P(All, HtmlOption, testing::Values(kSimulate, kSweepTrips, kWhatIf, kValidateRows),
                         [](const testing::TestParamInfo<Words>& words) {
                           return words.param.front() == "what-if" ? "what_if" : words.param.front();
                         });

TEST(HtmlOfRows, IsRefusedWhereRowsAreWrittenAsTheyCome) {
  const Workplace workplace(kRowsFile);
  for (const auto& words : {with(kSweepTrips, {"--csv=a.csv"}), with(kSweepTrips, {"--jsonl=a.jsonl"}),
                            with(kValidateRows, {"--csv=a.csv"}), with(kValidateRows, {"--models", "all"})}) {
    const auto outcome = workplace.run(with(words, {"--html", "page.html"}));
    EXPECT_EQ(outcome.status, 2) << words.back();
    EXPECT_THAT(outcome.err, HasSubstr("--html"));
  }
  EXPECT_THAT(workplace.files(), ElementsAre("rows.csv"));
}

}  // namespace
}  // namespace warpipe::test
