#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "golden.hpp"
#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// The worked example takes 440 cycles for a trip on the tiny device, 0.44 us.
constexpr auto kTimes =
    "kernel,device,trips,time_us\nworked,tiny,1,0.4\nworked,tiny,2,1\nnone,tiny,3,1\nworked,tiny,3,1.25\n";
constexpr auto kRates = "kernel,device,trips,gflops\nworked,tiny,1,0.2\nworked,tiny,2,0.09\nworked,tiny,3,0.05\n";
const Words kValidateWorst{"validate", "--measured", "m.csv", "--worst", "1"};

std::string first_rows(const std::string& text, int lines) {
  std::size_t end = 0;
  for (int i = 0; i < lines; ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

TEST(ValidateRows, GoToAFileBesideTheErrors) {
  const Workplace workplace(Files{{"m.csv", kTimes}});
  const auto errors = workplace.run(kValidateWorst), rows = workplace.run(kValidateWorst + Words{"--csv"});
  const auto both = workplace.run(kValidateWorst + Words{"--csv=rows"});
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_EQ(both.out, errors.out);
  EXPECT_EQ(workplace.read("rows"), rows.out);
  EXPECT_THAT(rows.out, StartsWith("line,kernel,device,"));
  EXPECT_EQ(workplace.run(kValidateWorst + Words{"--csv=rows", "--json"}).out,
            workplace.run(kValidateWorst + Words{"--json"}).out);
  EXPECT_THAT(workplace.run(kValidateWorst + Words{"--csv", "--json=errors"}).out, rows.out);
  EXPECT_EQ(workplace.read("errors"), workplace.run(kValidateWorst + Words{"--json"}).out);
}

TEST(ValidateRows, TakeStandardOutputAlone) {
  const Workplace workplace(Files{{"m.csv", kTimes}});
  const auto rows = workplace.run(kValidateWorst + Words{"--csv"});
  EXPECT_THAT(rows.out, Not(HasSubstr("mean |error|")));
  EXPECT_EQ(rows.out, workplace.run(kValidateWorst + Words{"--csv=/dev/stdout"}).out);
  for (const std::string other : {"--json", "--rank"}) {
    const auto outcome = workplace.run(kValidateWorst + Words{"--csv", other});
    EXPECT_EQ(outcome.status, 2) << other;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(other), HasSubstr("--csv=FILE")));
  }
}

TEST(ValidateRows, ThatAnEarlierRunHasLeftCountInTheErrors) {
  for (const auto* measured : {kTimes, kRates}) {
    const Workplace workplace(Files{{"m.csv", measured}});
    const auto command = kValidateWorst + Words{"--csv=rows", "--rank"};
    const auto whole = workplace.run(command);
    EXPECT_EQ(whole.status, 0) << whole.err;
    const auto rows = workplace.read("rows");
    for (int lines = 0; lines <= 4; ++lines) {
      workplace.write("rows", first_rows(rows, lines));
      const auto resumed = workplace.run(command + Words{"--resume"});
      EXPECT_EQ(resumed.out, whole.out) << lines << resumed.err;
      EXPECT_EQ(workplace.read("rows"), rows);
    }
  }
}

TEST(ValidateRows, ThatAnEarlierRunHasLeftCountAtTheGate) {
  const Workplace workplace(Files{{"m.csv", "kernel,device,trips,cycles\nworked,tiny,1,44\nworked,tiny,1,440\n"}});
  const auto command = kValidateWorst + Words{"--csv=rows", "--gate", "MAPE=1"};
  EXPECT_EQ(workplace.run(command).status, 5);
  EXPECT_EQ(workplace.run(command + Words{"--resume"}).status, 5);
}

TEST(ValidateModels, WriteRowsBesideTheErrors) {
  const Workplace workplace(Files{{"m.csv", kTimes}});
  const auto command = kValidateWorst + Words{"--models", "all"};
  EXPECT_EQ(workplace.run(command + Words{"--csv=rows"}).out, workplace.run(command).out);
  EXPECT_EQ(workplace.read("rows"), workplace.run(command + Words{"--csv"}).out);
}

// ---- files of other programs

/// Five configurations, with a failed one. The tiny device takes the same time for groups of 64 and of 128 threads, and
/// more for groups of 32.
constexpr auto kCache = R"({
"device_name": "A small device for tests",
"kernel_name": "vector_fma",
"problem_size": [1024],
"tune_params_keys": ["block_size_x", "trips", "layout"],
"tune_params": {"block_size_x": [32, 64, 128], "trips": [1, 2], "layout": [0]},
"objective": "time",
"cache": {
"32,1,0": {"block_size_x": 32, "trips": 1, "layout": 0, "time": 0.004, "times": [0.004]},
"64,1,0": {"block_size_x": 64, "trips": 1, "layout": 0, "time": 0.003, "times": [0.003]},
"128,1,0": {"block_size_x": 128, "trips": 1, "layout": 0, "time": 0.0035, "times": [0.0035]},
"1024,1,0": {"block_size_x": 1024, "trips": 1, "layout": 0, "time": "InvalidConfig"},
"32,2,0": {"block_size_x": 32, "trips": 2, "layout": 0, "time": 0.007, "times": [0.007]},
)";
const Words kTuned{"validate",  "--measured",  "cache.json", "--kernel-map", "vector_fma=worked",
                   "--tunable", "layout=none", "--param",    "n=1024",       "--worst",
                   "0"};

TEST(ForeignFiles, OfATunerReadAsInTheGoldenFiles) {
  const Workplace workplace(Files{{"cache.json", kCache}});
  const auto text = workplace.run(kTuned + Words{"--rank"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.err, IsEmpty());
  expect_golden("validate_rank.txt", text.out);
  expect_golden("validate_rank.json", workplace.run(kTuned + Words{"--rank=trips", "--json"}).out);
}

TEST(ForeignFiles, WhoseRowsTakeStandardOutputAreExplainedBeside) {
  const Workplace workplace(Files{{"cache.json", kCache}});
  const auto rows = workplace.run(kTuned + Words{"--csv"});
  EXPECT_THAT(rows.out, AllOf(StartsWith("line,kernel"), HasSubstr("\"128,1,0\"")));
  EXPECT_THAT(rows.err, AllOf(HasSubstr("warpipe: note: cache.json is read as Kernel Tuner cache."),
                              HasSubstr("1 row without a time not scored: InvalidConfig (1).")));
  EXPECT_THAT(workplace.run(kTuned + Words{"--csv", "-q"}).err, IsEmpty());
}

TEST(ForeignFiles, AskForWhatTheyDoNotSay) {
  const Workplace workplace(Files{{"cache.json", kCache}});
  const Words plain{"validate", "--measured", "cache.json"};
  const auto expect = [&](const Words& more, int status, const std::string& said) {
    const auto outcome = workplace.run(plain + more);
    EXPECT_EQ(outcome.status, status) << said;
    EXPECT_THAT(outcome.err, HasSubstr(said));
  };
  expect({}, 2, "give --kernel-map 'vector_fma=KERNEL'");
  expect({"--kernel", "worked"}, 2, "found vector_fma (5)");
  expect({"--kernel-map", "vector_fma=worked"}, 2, "give --tunable layout=none");
  expect({"--kernel-map", "vector_fma=workd"}, 3, "did you mean \"worked\"?");
  expect({"--kernel-map", "vector_fma"}, 2, "--kernel-map");
  expect({"--kernel-map", "vector_fma=worked", "--tunable", "layot=none"}, 2, "did you mean \"layout\"?");
}

TEST(ForeignFiles, OfAProfilerAreScoredWithTheParametersOfTheCommandLine) {
  const std::string trace =
      "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Device,Ctx,Strm,Name\n"
      "0,440,1,1,1,1,32,1,1,A small device for tests (0),1,7,\"worked(int, float *)\"\n"
      "9,440,2,1,1,1,32,1,1,A small device for tests (0),1,7,\"other(int)\"\n";
  const Workplace workplace(Files{{"trace.csv", trace}});
  const Words command{"validate", "--measured", "trace.csv", "--kernel", "worked", "--csv"};
  const auto outcome = workplace.run(command);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("2,worked,tiny,32,1,,,time_us,0.44,0.44,0,"));
  EXPECT_THAT(outcome.err, HasSubstr("1 row of 1 other kernel not scored: other(int) (1)."));
  EXPECT_THAT(workplace.run(command + Words{"--param", "trips=2"}).out, Not(HasSubstr(",0.44,0.44,0,")));
  const auto from_file = workplace.run({"validate", "--measured", "trace.csv", "--csv", "--device", "tiny",
                                        "--kernel-map", "other=" + in_sources("tests/cli/data/kernels/worked.json")});
  EXPECT_THAT(from_file.out, HasSubstr("3,worked,tiny,32,1,,,time_us,0.44,0.44,0,"));
}

TEST(ForeignFiles, OfAProfilerAreWhatADeviceIsFittedTo) {
  // A hundred steps of a chain at 1 GHz: 99 max(20, 10 W) + (W - 1) 10 + 20 ns on W warps, lambda 10 and Lambda 20.
  const std::string results =
      "KernelName,grd,wgr,DurationNs\n\"chain(int) [clone .kd]\",32,32,2000\nfill.kd,32,32,9\n"
      "chain.kd,64,64,2010\nchain.kd,96,96,3010\nchain.kd,128,128,4010\n";
  const std::string chain = R"({"format": "warpipe-kernel", "version": 1, "name": "chain",
    "body": [{"loop": "step", "trip_count": 100, "body": [{"id": "a", "op": "ffma", "after": ["a"]}]}]})";
  const Workplace workplace(Files{{"results.csv", results}, {"chain.json", chain}});
  const auto outcome = workplace.run({"calibrate", "--measured", "results.csv", "--kernel", "./chain.json", "--device",
                                      "tiny", "--fit", "ffma.issue", "ffma.completion", "-o", "fitted.json", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("results.csv is read as rocprof, results.csv"),
                                 HasSubstr("1 row of 1 other kernel not scored: fill.kd (1).")));
  const auto values = nlohmann::json::parse(outcome.out).at("values");
  EXPECT_NEAR(values.at(0).at("fitted").get<double>(), 10, 0.01);
  EXPECT_NEAR(values.at(1).at("fitted").get<double>(), 20, 0.01);
}

TEST(ForeignFiles, ThatAreNonsenseAreRefused) {
  for (const auto& [content, said] : std::vector<std::pair<std::string, std::string>>{
           {"", "the file is empty"},
           {"{\"tune_params_keys\": [", "cache.json"},
           {"{}", "no file of measurements that is known"},
           {"[1, 2", "no file of measurements that is known"},
           {"Time (%),Instances,Med (ns),Name\n1,1,-4,worked\n", "a number above 0"}}) {
    const Workplace workplace(Files{{"cache.json", content}});
    const auto outcome =
        workplace.run({"validate", "--measured", "cache.json", "--kernel", "worked", "--device", "tiny"});
    EXPECT_EQ(outcome.status, 3) << content;
    EXPECT_THAT(outcome.err, HasSubstr(said));
  }
}

}  // namespace
}  // namespace warpipe::test
