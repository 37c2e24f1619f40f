#include <gmock/gmock.h>

#include "golden.hpp"
#include "program.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A chain of ffma, 100 steps.
const std::string kChain = R"({"format": "warpipe-kernel", "version": 1, "name": "chain",
  "launch": {"group_size": 32, "groups": 1, "concurrent_groups": 1},
  "body": [{"loop": "step", "trip_count": 100, "body": [{"id": "a", "op": "ffma", "after": ["a"]}]}]})";

/// 99 max(20, 10 W) + (W - 1) 10 + 20 cycles on W warps: lambda 10 and Lambda 20.
const std::string kRows =
    "kernel,device,group_size,cycles\nchain,tiny,32,2000\nchain,tiny,64,2010\nchain,tiny,96,3010\n"
    "chain,tiny,128,4010\n";

std::vector<std::string> call(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"calibrate", "--measured", "m.csv",       "--device",
                                     "tiny",      "--kernel",   "./chain.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Calibrate, WritesAFittedTableThatTheProgramReads) {
  const Workplace workplace(Files{{"chain.json", kChain}, {"m.csv", kRows}});
  const auto outcome = workplace.run(call({"--fit", "ffma.issue", "ffma.completion", "-o", "fitted.json"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("ffma.issue"), HasSubstr("in closed form")));
  EXPECT_THAT(workplace.read("fitted.json"), AllOf(HasSubstr("\"kind\": \"fitted\""), HasSubstr("m.csv")));
  const auto check = workplace.run({"validate", "--measured", "m.csv", "--device", "./fitted.json", "--kernel",
                                    "./chain.json", "--gate", "MAPE=0.1"});
  EXPECT_EQ(check.status, 0) << check.err;
}

TEST(Calibrate, ReportsAsJson) {
  const Workplace workplace(Files{{"chain.json", kChain}, {"m.csv", kRows}});
  const auto outcome =
      workplace.run(call({"--fit=ffma.issue", "--fit=ffma.completion", "-o", "fitted.json", "--json"}));
  EXPECT_THAT(outcome.out, HasSubstr("\"format\": \"warpipe-calibration\""));
}

TEST(Calibrate, NeverOverwritesAnInput) {
  const Workplace workplace(Files{{"chain.json", kChain}, {"m.csv", kRows}});
  ASSERT_EQ(workplace.run(call({"--fit", "ffma.issue", "ffma.completion", "-o", "a.json"})).status, 0);
  const auto before = workplace.read("a.json");
  for (const std::string input : {"a.json", "m.csv", "chain.json"}) {
    const auto outcome = workplace.run({"calibrate", "--measured", "m.csv", "--device", "./a.json", "--kernel",
                                        "./chain.json", "--fit", "ffma.issue", "--output=./" + input});
    EXPECT_EQ(outcome.status, 2) << input;
    EXPECT_THAT(outcome.err, HasSubstr("this would overwrite")) << input;
  }
  EXPECT_EQ(workplace.read("a.json"), before);
}

TEST(Calibrate, RefusesWhatTheRowsDoNotTellAndWritesNothing) {
  const Workplace workplace(Files{{"chain.json", kChain},
                                  {"m.csv",
                                   "kernel,device,group_size,cycles\nchain,tiny,32,2000\nchain,tiny,64,2002\n"
                                   "chain,tiny,96,2004\n"}});
  const auto outcome = workplace.run(call({"--fit", "ffma.issue", "ffma.completion", "-o", "fitted.json"}));
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("--fit ffma.issue"), HasSubstr("no saturated row")));
  EXPECT_THAT(workplace.files(), testing::Not(testing::Contains("fitted.json")));
}

TEST(Calibrate, SaysWhatIsWrongWithManyRowsOnce) {
  const Workplace workplace(Files{{"m.csv",
                                   "kernel,device,group_size,cycles\nchian,tiny,32,1\nchian,tiny,64,2\n"
                                   "other,tiny,64,2\nchian,tiny,96,3\nother,tiny,96,2\n"}});
  const auto outcome = workplace.run(
      {"calibrate", "--measured", "m.csv", "--device", "tiny", "--fit", "ffma.issue", "-o", "fitted.json"});
  EXPECT_EQ(outcome.status, 4) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("line 2 and 2 further rows: kernel \"chian\": no shipped kernel"));
  EXPECT_THAT(outcome.err, HasSubstr("line 4 and 1 further row: kernel \"other\": no shipped kernel"));
  EXPECT_EQ(outcome.err.find("chian\": no"), outcome.err.rfind("chian\": no"));
}

TEST(Calibrate, RefusesANameThatTheDeviceDoesNotHave) {
  const Workplace workplace(Files{{"chain.json", kChain}, {"m.csv", kRows}});
  const auto outcome = workplace.run(call({"--fit", "ffma.isue", "-o", "fitted.json"}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"ffma.issue\"?"));
}

TEST(Gate, FailsWithStatusFiveAfterTheResultIsWritten) {
  const Workplace workplace(Files{{"chain.json", kChain}, {"m.csv", kRows}});
  const std::vector<std::string> validate{"validate", "--measured", "m.csv", "--kernel", "./chain.json"};
  auto gated = validate;
  gated.insert(gated.end(), {"--gate", "MAPE=0.5"});
  const auto outcome = workplace.run(gated);
  EXPECT_EQ(outcome.status, 5);
  EXPECT_EQ(outcome.out, workplace.run(validate).out);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("chain on tiny"), HasSubstr("at most 0.5 %")));
  gated.back() = "MAPE=99";
  EXPECT_EQ(workplace.run(gated).status, 0);
  gated.push_back("--csv");
  EXPECT_EQ(workplace.run(gated).status, 0);
}

TEST(Gate, IsAMeanErrorInPercent) {
  const auto outcome = warpipe({"validate", "--measured", "m.csv", "--gate", "RMSE=3"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("MAPE=PERCENT"));
}

TEST(Gate, FailsWhereARowHasNoPrediction) {
  const Workplace workplace(Files{{"m.csv", "kernel,device,cycles\nnone,tiny,1\n"}});
  EXPECT_EQ(workplace.run({"validate", "--measured", "m.csv", "--gate", "MAPE=99"}).status, 5);
}

}  // namespace
}  // namespace warpipe::test
