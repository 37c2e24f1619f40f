#include <gmock/gmock.h>

#include "golden.hpp"
#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kMachine = in_sources("tests/cli/data/simulator/gpgpusim.config");
const std::string kTraces = in_sources("tests/cli/data/simulator/trace.config");

/// The kernel, not in the configuration files.
constexpr const char* kChainOfConfig = R"({ "format": "warpipe-kernel", "version": 1, "name": "chain",
  "launch": { "group_size": 32, "groups": 1 },
  "body": [ { "loop": "trip", "trip_count": 10, "body": [ { "id": "add", "op": "fadd", "after": ["add"] } ] } ] })";

TEST(ImportConfig, ReportsTheTableAndWhatIsMissing) {
  const Workplace workplace;
  const auto outcome = workplace.run({"import", kMachine, kTraces, "-o", "gpu.json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_golden("import_config.txt", outcome.out);
}

TEST(ImportConfig, WritesADeviceThatIsRight) {
  const Workplace workplace(Files{{"chain.json", kChainOfConfig}});
  EXPECT_EQ(workplace.run({"import", kMachine, "-o", "gpu.json"}).status, 0);
  EXPECT_EQ(workplace.run({"check", "./gpu.json"}).out, "./gpu.json: device gpu: ok\n");
  // Ten dependent additions of 4 cycles each.
  EXPECT_THAT(workplace.run({"simulate", "./chain.json", "--device", "./gpu.json", "--json"}).out,
              HasSubstr("\"cycles\": 40,"));
}

TEST(ImportConfig, WithoutOutputTheDeviceGoesToStandardOutput) {
  const auto outcome = warpipe({"import", kMachine, "--name", "mine"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("{"), HasSubstr("\"name\": \"mine\""), HasSubstr("\"simulator\"")));
}

TEST(ImportConfig, ReportAloneWritesNoDevice) {
  EXPECT_THAT(warpipe({"import", kMachine, "--report"}).out, StartsWith("imported: 8 units at 1000 MHz"));
}

TEST(ImportConfig, BadFilesAreNamedWithTheirLine) {
  const Workplace workplace(Files{{"gpu.config", "-gpgpu_n_clusters 4\n-gpgpu_n_cores_per_cluster many\n"}});
  const auto outcome = workplace.run({"import", "gpu.config", "-o", "gpu.json"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("gpu.config line 2: the value of -gpgpu_n_cores_per_cluster must be a whole"),
                    HasSubstr("the option -gpgpu_clock_domains is missing")));
  EXPECT_EQ(workplace.files(), std::vector<std::string>{"gpu.config"}) << "no device is written";
}

TEST(ImportConfig, RefusesOptionsOfTheOtherKindOfFile) {
  const auto status_of = [](const std::vector<std::string>& arguments) { return warpipe(arguments).status; };
  EXPECT_EQ(status_of({"import", kMachine, "--block", "32"}), 2);
  EXPECT_EQ(status_of({"import", kMachine, "--warp-size", "64"}), 2);
  EXPECT_EQ(status_of({"import", kMachine, "kernel.ptx"}), 2);
  EXPECT_EQ(status_of({"import", kMachine, "--name", "no name"}), 2);
  EXPECT_EQ(status_of({"import", "kernel.ptx", "--block", "32", "--grid", "1", "--name", "x"}), 2);
}

}  // namespace
}  // namespace warpipe::test
