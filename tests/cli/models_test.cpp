#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "program.hpp"

/// The verbs that compare well-known models with the simulation.

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The result of a run that must succeed with an empty standard error.
std::string output_of(const std::vector<std::string>& arguments) {
  const auto outcome = warpipe(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

/// Standard error of a refused call.
std::string refusal_of(const std::vector<std::string>& arguments, int status = 2) {
  const auto outcome = warpipe(arguments);
  EXPECT_EQ(outcome.status, status) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  return outcome.err;
}

/// Eight groups for two units: from a single group to four at a time.
std::vector<std::string> compare_worked(const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"compare", "worked", "--device", "tiny", "--param", "n=256"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Compare, ReadsAsInTheGoldenFiles) {
  expect_golden("compare_worked.txt", output_of(compare_worked()));
  expect_golden("compare_worked.json", output_of(compare_worked({"--json"})));
  expect_golden("compare_worked.csv", output_of(compare_worked({"--csv"})));
}

TEST(Compare, LooksAtTheOneOccupancyThatIsGiven) {
  const auto text = output_of(compare_worked({"--concurrent-groups", "2", "--csv"}));
  EXPECT_THAT(text, HasSubstr("\n2,2,simulation,"));
  EXPECT_THAT(text, Not(HasSubstr("\n1,1,")));
}

TEST(Compare, SaysWhyAModelIsNotApplied) {
  EXPECT_THAT(output_of(compare_worked()), HasSubstr("hong-kim: needs the device's memory.bandwidth_bytes_per_s"));
}

TEST(Compare, HoldsEachModelAgainstMeasurement) {
  const Workplace workplace(
      Files{{"measured.csv", "kernel,device,n,time_us\nworked,tiny,32,0.4\nother,tiny,32,1\nworked,tiny,32,0.5\n"}});
  const auto outcome = workplace.run({"compare", "worked", "--device", "tiny", "--measured", "measured.csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("+10.0"));  // 0.44 us for 0.4
  EXPECT_THAT(outcome.out, HasSubstr("-12.0"));  // and for 0.5
  expect_golden("compare_measured.txt", outcome.out);
}

TEST(Compare, AsksForInputsThatSomeModelNames) {
  EXPECT_THAT(refusal_of(compare_worked({"--model-input", "mhsr=3"})), HasSubstr("\"mhsr\""));
  EXPECT_THAT(refusal_of(compare_worked({"--model-input", "mshr=-1"})), HasSubstr("--model-input mshr"));
  EXPECT_THAT(refusal_of(compare_worked({"--model-input", "mshr"})), HasSubstr("--model-input"));
}

TEST(Compare, MissesChangeWhatTheIntervalModelsSay) {
  const std::vector<std::string> call{"compare", "saxpy", "--device", "v100", "--concurrent-groups", "8", "--csv"};
  auto with_misses = call;
  with_misses.insert(with_misses.end(), {"--model-input", "mshr=8"});
  EXPECT_NE(output_of(call), output_of(with_misses));
}

TEST(ValidateModels, ScoresEveryModelOnTheSameRows) {
  const Workplace workplace(
      Files{{"measured.csv", "kernel,device,n,time_us\nworked,tiny,32,0.4\nworked,tiny,32,0.5\nnone,tiny,32,1\n"}});
  const auto text = workplace.run({"validate", "--measured", "measured.csv", "--kernel", "worked", "--models", "all"});
  EXPECT_EQ(text.status, 0) << text.err;
  expect_golden("validate_models.txt", text.out);
  const auto rows = workplace.run({"validate", "--measured", "measured.csv", "--models", "all", "--csv"}).out;
  EXPECT_EQ(std::ranges::count(rows, '\n'), 1 + 3 * 10);  // a header; the simulation and nine models, no row dropped
  EXPECT_THAT(rows, HasSubstr("\n2,worked,tiny,time_us,0.4,simulation,0.44,"));
}

TEST(ValidateModels, AreAskedForByTheWordAll) {
  const Workplace workplace(Files{{"measured.csv", "kernel,device,cycles\nworked,tiny,440\n"}});
  const auto outcome = workplace.run({"validate", "--measured", "measured.csv", "--models", "volkov"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--models: unknown value"));
  const auto resumed =
      workplace.run({"validate", "--measured", "measured.csv", "--models", "all", "--csv=out.csv", "--resume"});
  EXPECT_EQ(resumed.status, 2);
  EXPECT_THAT(resumed.err, HasSubstr("--resume"));
}

TEST(Roofline, OfADeviceReadsAsInTheGoldenFiles) {
  expect_golden("roofline_device.txt",
                output_of({"roofline", "--device", "tiny", "--set", "memory/bandwidth_bytes_per_s=64e9"}));
  expect_golden("roofline_device.json", output_of({"roofline", "--device", "tiny", "--json"}));
}

TEST(Roofline, TakesTheClockAndNumbersOfTheDevice) {
  // two units of a single fp32 pipeline, 32 lanes of a multiply-add each
  const auto peak = [](const std::vector<std::string>& more) {
    std::vector<std::string> call{"roofline", "--device", "tiny", "--json"};
    call.insert(call.end(), more.begin(), more.end());
    return nlohmann::json::parse(output_of(call))["peaks"][0]["flops_per_s"].get<double>();
  };
  EXPECT_DOUBLE_EQ(peak({"--set", "/compute_units=4"}), 2 * peak({}));
  EXPECT_DOUBLE_EQ(peak({"--set", "ffma=x2"}), peak({}) / 2);
}

TEST(Roofline, SaysWhatIsWrongAndTheWayOut) {
  EXPECT_THAT(refusal_of({"roofline"}), HasSubstr("--device"));
  EXPECT_THAT(refusal_of({"roofline", "matmul", "--device", "v100"}), HasSubstr("one argument too many"));
  EXPECT_THAT(refusal_of({"roofline", "--device", "v100", "--set", "a.transactions=2"}), HasSubstr("no kernel"));
  EXPECT_THAT(refusal_of({"roofline", "--device", "v100", "--clock", "0"}), HasSubstr("no device has a clock"));
}

}  // namespace
}  // namespace warpipe::test
