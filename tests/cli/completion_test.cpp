#include <gmock/gmock.h>

#include <sstream>

#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

/// Candidates for the last word, without their meanings.
std::vector<std::string> offered(std::vector<std::string> words) {
  words.insert(words.begin(), {"completion", "candidates", "--"});
  const auto outcome = warpipe(words);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) found.push_back(line.substr(0, line.find('\t')));
  return found;
}

TEST(Candidates, AreTheVerbsFirst) {
  EXPECT_THAT(offered({""}), AllOf(Contains("simulate"), Contains("man"), Not(Contains("--help"))));
  EXPECT_THAT(offered({"-"}), ElementsAre("--help", "--version"));
}

TEST(Candidates, AreKernelsAndFilesForAKernel) {
  EXPECT_THAT(offered({"simulate", ""}), AllOf(Contains("worked"), Contains("saxpy"), Contains(":files")));
}

TEST(Candidates, AreTheOptionsBehindAllArguments) {
  const auto options = offered({"simulate", "worked", ""});
  EXPECT_THAT(options, AllOf(Contains("--device"), Contains("--json"), Not(Contains(":files"))));
  EXPECT_EQ(offered({"simulate", "worked", "-"}), options);
  EXPECT_EQ(offered({"simulate", "-"}), options);
}

TEST(Candidates, LeaveOutOptionsThatStandAlready) {
  EXPECT_THAT(offered({"simulate", "--device", "tiny", "--param", "n=1", "-"}),
              AllOf(Not(Contains("--device")), Contains("--param"), Contains("--groups")));
  EXPECT_THAT(offered({"simulate", "-q", "-"}), Not(Contains("--quiet")));
}

TEST(Candidates, AreTheValuesOfAnOption) {
  EXPECT_THAT(offered({"simulate", "worked", "--units", ""}), ElementsAre("one", "all"));
  EXPECT_THAT(offered({"simulate", "worked", "--units="}), ElementsAre("--units=one", "--units=all"));
  EXPECT_THAT(offered({"simulate", "--device", ""}), AllOf(Contains("tiny"), Contains("v100"), Contains(":files")));
  EXPECT_THAT(offered({"simulate", "--data", ""}), ElementsAre(":directories"));
  EXPECT_THAT(offered({"simulate", "--json="}), ElementsAre(":files"));
  EXPECT_THAT(offered({"import", "-o", ""}), ElementsAre(":files"));
  EXPECT_THAT(offered({"simulate", "--groups", ""}), IsEmpty());
}

TEST(Candidates, OfNamesGoOnBehindAnEqualsSign) {
  EXPECT_THAT(offered({"compare", "worked", "--model-input", ""}),
              ElementsAre("matrix-flops=", "mshr=", "sync-factor="));
  EXPECT_THAT(offered({"compare", "worked", "--model-input", "mshr=8", ""}), Contains("sync-factor="));
}

TEST(Candidates, AreNamesInTheKernelAndTheDevice) {
  const std::vector<std::string> named{"simulate", "worked", "--device", "tiny"};
  const auto behind = [&](const std::string& option) {
    auto words = named;
    words.insert(words.end(), {option, ""});
    return offered(words);
  };
  EXPECT_THAT(behind("--param"), ElementsAre("n=", "trips="));
  EXPECT_THAT(behind("--set"), AllOf(Contains("ffma.issue="), Contains("/compute_units="), Contains("ops/ffma/issue="),
                                     Contains("load_x.conflict_degree=")));
  EXPECT_THAT(
      offered({"sweep", "worked", "--device=tiny", "--vary", ""}),
      AllOf(Contains("group_size="), Contains("trips="), Contains("ffma.issue="), Contains("load_x.transactions=")));
  EXPECT_THAT(offered({"calibrate", "--device", "tiny", "--fit", ""}), Contains("ffma.completion"));
}

TEST(Candidates, AreNoNamesOfAFileThatIsWrongOrMightKeepWaiting) {
  EXPECT_THAT(offered({"simulate", "workd", "--param", ""}), IsEmpty());
  EXPECT_THAT(offered({"simulate", "-", "--param", ""}), IsEmpty());
  EXPECT_THAT(offered({"simulate", "/dev/zero", "--param", ""}), IsEmpty());
}

TEST(Candidates, AreTheKernelAgainBehindValuesWithoutEnd) {
  EXPECT_THAT(offered({"simulate", "--param", "n=1", ""}), Contains("worked"));
  EXPECT_THAT(offered({"simulate", "--json", ""}), Contains("worked"));
}

TEST(Candidates, OfADirectoryThatIsNoneAreFilesAlone) {
  EXPECT_THAT(offered({"simulate", "--data", "nowhere", ""}), ElementsAre(":files"));
}

TEST(Candidates, AreNoneForWhatIsNoVerbOrOption) {
  EXPECT_THAT(offered({"simulat", ""}), IsEmpty());
  EXPECT_THAT(offered({"simulate", "--nothing="}), IsEmpty());
  EXPECT_THAT(offered({"simulate", "--quiet="}), IsEmpty());
  EXPECT_THAT(offered({}), IsEmpty());
}

TEST(Candidates, AreEntriesAndArgumentsOfCode) {
  const auto ptx = in_sources("kernels/cuda/ptx/sm_80/saxpy.ptx");
  EXPECT_THAT(offered({"simulate", ptx, "--entry", ""}), ElementsAre("saxpy", "saxpy_grid_stride"));
  EXPECT_THAT(offered({"simulate", ptx, "--entry=saxpy", "--arg", ""}), AllOf(Contains("n="), Contains("x=")));
  EXPECT_THAT(offered({"sweep", ptx, "--entry", "saxpy", "--vary", ""}),
              AllOf(Contains("block="), Contains("grid="), Contains("arg.n="), Not(Contains("group_size="))));
  EXPECT_THAT(offered({"sweep", "my.cu", "--vary", ""}), AllOf(Contains("block="), Contains("grid=")));
  EXPECT_THAT(offered({"simulate", "saxpy", "--entry", ""}), IsEmpty());
}

}  // namespace
}  // namespace warpipe::test
