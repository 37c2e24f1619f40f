#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "program.hpp"

namespace warpipe::test {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kSlow = "--set=global.load.completion=500";

TEST(Diff, OfTwoDevicesReadsAsInTheGoldenFile) {
  const auto outcome = warpipe({"diff", "saxpy", "--device", "v100", "--device-b", "a100"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_golden("diff_devices.txt", outcome.out);
}

TEST(Diff, OfTwoKernelsReadsAsInTheGoldenFile) {
  const auto outcome = warpipe({"diff", "transpose_conflicts", "transpose_padded", "--device", "v100"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_golden("diff_kernels.txt", outcome.out);
}

constexpr const char* kScalePtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 data)
{
  .reg .f32 %f<3>; .reg .b32 %r<2>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  mul.f32 %f2, %f1, %f1;
  st.global.f32 [%rd3], %f2;
  ret;
}
)";

TEST(Diff, TakesPtxOnEitherSide) {
  const Workplace place(Files{{"scale.ptx", kScalePtx}});
  const auto devices = place.run({"diff", "scale.ptx", "--device=v100", "--device-b=a100", "--block=64", "--grid=160"});
  EXPECT_EQ(devices.status, 0) << devices.err;
  EXPECT_THAT(devices.out, AllOf(StartsWith("A  scale on v100"), HasSubstr("\nB  scale on a100")));
  const auto kernels = place.run({"diff", "saxpy", "scale.ptx", "--device=v100", "--block=64", "--grid=160"});
  EXPECT_EQ(kernels.status, 0) << kernels.err;
  EXPECT_THAT(kernels.out, AllOf(StartsWith("A  saxpy on v100"), HasSubstr("\nB  scale on v100")));
}

TEST(Diff, TakesTwoEntriesOfOneFile) {
  std::string two = kScalePtx, square = two.substr(two.find(".visible"));
  square.replace(square.find("scale"), 5, "twice");
  square.replace(square.find("mul.f32 %f2, %f1, %f1;"), 22, "add.f32 %f2, %f1, %f1;");
  const Workplace place(Files{{"two.ptx", two + square}});
  const std::vector<std::string> launch{"--device=v100", "--block=64", "--grid=160"};
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.end(), launch.begin(), launch.end());
    return place.run(words);
  };
  const auto both = run({"diff", "two.ptx:scale", "two.ptx:twice"});
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_THAT(both.out, AllOf(StartsWith("A  scale on v100"), HasSubstr("\nB  twice on v100")));
  const auto one = run({"simulate", "two.ptx:twice"});
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_THAT(one.out, StartsWith("twice on v100"));
  EXPECT_THAT(warpipe({"diff", "saxpy:x", "reduction", "--device", "v100"}).err,
              HasSubstr("a kernel file has no entry \"x\"; name the file alone"));
}

TEST(Diff, ContributionsAddUpToTheChange) {
  const auto outcome = warpipe({"diff", "saxpy", "reduction", "--device", "v100", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto result = Json::parse(outcome.out);
  EXPECT_EQ(result.at("format"), "warpipe-diff");
  double sum = 0;
  for (const auto& part : result.at("contributions")) sum += part.at("change_s").get<double>();
  const double a = result.at("a").at("time_s");
  const double b = result.at("b").at("time_s");
  EXPECT_NEAR(sum, b - a, 1e-12 * std::max(a, b));
  EXPECT_NEAR(result.at("slowdown").get<double>(), b / a - 1, 1e-12);
}

/// The worked example takes 440 cycles, with 100 more for a load 540: 22.7 % longer.
class DiffOfSavedResults : public testing::Test {
 protected:
  void SetUp() override {
    save("before.json", {});
    save("after.json", {kSlow});
  }

  void save(const std::string& file, std::vector<std::string> more) const {
    more.insert(more.begin(),
                {"simulate", "worked", "--device", "tiny", "--json=" + file, "--view=stalls", "--view=instructions"});
    const auto outcome = place_.run(more);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }

  Workplace place_;
};

TEST_F(DiffOfSavedResults, SaysTheSameAsOfTheRuns) {
  const auto saved = place_.run({"diff", "before.json", "after.json"});
  const auto half = place_.run({"diff", "before.json", "worked", "--device=tiny", kSlow});
  EXPECT_EQ(saved.status, 0) << saved.err;
  EXPECT_EQ(half.status, 0) << half.err;
  EXPECT_EQ(saved.out, half.out);
  EXPECT_THAT(saved.out, AllOf(HasSubstr("B takes 0.1 us more, 22.7 % of A.\n"), HasSubstr("fma: result of load_")));
}

TEST_F(DiffOfSavedResults, TheGatePassesAtTheLimitAndFailsAboveIt) {
  for (const char* gate : {"--gate=22.73", "--gate=22.73%", "--gate=100"})
    EXPECT_EQ(place_.run({"diff", "before.json", "after.json", gate}).status, 0) << gate;
  for (const char* gate : {"--gate=22.72", "--gate=0%"}) {
    const auto outcome = place_.run({"diff", "before.json", "after.json", gate});
    EXPECT_EQ(outcome.status, 5) << gate;
    EXPECT_THAT(outcome.err, HasSubstr("B takes 22.73 % longer than A, more than ")) << gate;
    EXPECT_THAT(outcome.out, StartsWith("A  worked on tiny")) << "the result is written all the same";
  }
  EXPECT_EQ(place_.run({"diff", "after.json", "before.json", "--gate=0"}).status, 0) << "faster";
}

TEST_F(DiffOfSavedResults, WithoutStallsSayHowToSaveThem) {
  place_.run({"simulate", "worked", "--device", "tiny", "--json=plain.json"});
  const auto outcome = place_.run({"diff", "plain.json", "after.json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("22.7 % of A"), HasSubstr("A was saved without stalls")));
}

TEST_F(DiffOfSavedResults, RefuseWhatIsForKernels) {
  const auto refused = [&](std::vector<std::string> more, int status, const std::string& message) {
    more.insert(more.begin(), "diff");
    const auto outcome = place_.run(more);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_EQ(outcome.out, "");
  };
  refused({"before.json", "after.json", "--device=tiny"}, 2, "A and B are saved results, which have their devices");
  refused({"before.json", "after.json", kSlow}, 2, "--set: A and B are saved results, which no launch option changes");
  refused({"worked", "after.json", "--device=tiny", "--device-b=tiny"}, 2, "is a saved result, which has its device");
  refused({"before.json", "worked"}, 2, "give --device DEVICE");
  refused({"before.json"}, 2, "B: this argument is missing");
}

TEST(Diff, RefusesNonsense) {
  const auto refused = [](std::vector<std::string> more, int status, const std::string& message) {
    more.insert(more.begin(), "diff");
    const auto outcome = warpipe(more);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_EQ(outcome.out, "");
  };
  refused({}, 2, "A: this argument is missing");
  refused({"worked", "--device=tiny"}, 2, "B: this argument is missing");
  refused({"worked", "worked", "worked", "--device=tiny"}, 2, "one argument too many");
  refused({"worked", "worked"}, 2, "give --device DEVICE");
  refused({"worked", "worked", "--device=tiny", "--gate=-1"}, 2, "--gate");
  refused({"worked", "worked", "--device=tiny", "--gate=five"}, 2, "--gate");
  refused({"worked", "worked", "--device=tiny", "--gate=%"}, 2, "--gate");
  refused({"worked", "wroked", "--device=tiny"}, 3, "wroked");
  refused({"worked", "--device=tiny", "--device-b=tinny"}, 3, "tinny");
  refused({"worked", "worked", "--device=tiny", "--grid=5"}, 2, "PTX");
  refused({"-", "-", "--device=tiny"}, 2, "standard input can be read only once");
}

TEST(Diff, RefusesSavedResultsThatAreCutOffOrWrong) {
  const auto with = [](const std::string& content) {
    const Workplace place(Files{{"a.json", content}});
    return place.run({"diff", "a.json", "worked", "--device=tiny"});
  };
  for (const char* content :
       {"", "{", "[]", R"({"format": "warpipe-result"})", R"({"format": "warpipe-result", "version": 2})",
        R"({"format": "warpipe-result", "version": 1, "cycles": -1})",
        R"({"format": "warpipe-result", "version": 1, "stalls": [], "instructions": {}, "bounds": 7, "launch": ""})",
        R"({"format": "warpipe-diff", "version": 1})"}) {
    const auto outcome = with(content);
    EXPECT_EQ(outcome.status, 3) << content << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("a.json")) << content;
  }
}

}  // namespace
}  // namespace warpipe::test
