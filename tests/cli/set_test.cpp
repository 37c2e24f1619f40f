#include <gmock/gmock.h>

#include "program.hpp"

/// --set: one option for the numbers of the device and of the kernel's instructions.

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Words = std::vector<std::string>;

/// A device whose op "load" has transactions and a pipeline of the same name, for a kernel with an instruction "load".
const std::string kDevice = R"({
  "format": "warpipe-device", "version": 1, "name": "d", "compute_units": 2, "clock_hz": 1e9, "warp_size": 32,
  "limits": {"warps_per_unit": 8}, "memory": {"transaction_bytes": 32},
  "pipelines": {"lsu": {}, "transactions": {}},
  "ops": {"global.load": {"pipeline": "lsu", "issue": 4, "completion": 40, "transactions": 2,
                          "per_conflict": {"issue": 1, "completion": 1},
                          "per_transaction": {"issue": 2, "completion": 2}},
          "load": {"pipeline": "lsu", "issue": 4, "completion": 40, "transactions": 2,
                   "per_transaction": {"issue": 2, "completion": 2},
                   "then": [{"pipeline": "transactions", "issue": 1}]},
          "ffma": {"pipeline": "lsu", "issue": 1, "completion": 6}}
})";
const std::string kKernel = R"({
  "format": "warpipe-kernel", "version": 1, "name": "k", "launch": {"group_size": 64, "groups": 8},
  "body": [{"id": "first", "op": "global.load"}, {"id": "load", "op": "load", "after": ["first"]},
           {"id": "add", "op": "ffma", "after": ["load"]}]
})";

Outcome simulated(const Words& options) {
  static const Workplace place(Files{{"d.json", kDevice}, {"k.json", kKernel}});
  Words call{"simulate", "k.json", "--device", "d.json"};
  call.insert(call.end(), options.begin(), options.end());
  return place.run(call);
}

TEST(Set, TakesWhatTheOldSpellingsTake) {
  const std::string before = simulated({}).out;
  for (const auto& [present, old] : std::vector<std::pair<Words, Words>>{
           {{"--set", "limits/warps_per_unit=2"}, {"--set-device", "limits/warps_per_unit=2"}},
           {{"--set", "/compute_units=1"}, {"--set-device", "compute_units=1"}},
           {{"--set=ffma=x9"}, {"--scale=ffma=9"}},
           {{"--set", "first.transactions=8"}, {"--transactions", "first=8"}},
           {{"--set", "instructions/load/transactions=8"}, {"--transactions", "load=8"}},
           {{"--set", "first.transactions=4", "ffma.issue=3"},
            {"--transactions", "first=4", "--set", "ffma.issue=3"}}}) {
    const auto outcome = simulated(present);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out, before) << present.back();
    EXPECT_EQ(outcome.out, simulated(old).out) << present.back();
    EXPECT_THAT(outcome.err, IsEmpty());
  }
}

TEST(Set, ChangesTheDeviceBeforeTheClockAndFactorsLast) {
  EXPECT_EQ(simulated({"--set", "ffma=x3", "ffma.issue=5"}).out,
            simulated({"--set", "ffma.issue=15", "ffma.completion=18"}).out);
  EXPECT_EQ(simulated({"--clock", "2GHz", "--set", "/clock_hz=1e8"}).out, simulated({"--clock", "2GHz"}).out);
}

TEST(Set, SaysWhereKernelAndDeviceHaveANumberOfTheName) {
  const auto outcome = simulated({"--set", "load.transactions=4"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("--set load.transactions: the kernel has such an instruction, and d such an op; write "
                        "instructions/load/transactions or ops/load/transactions or ops/load/then/0/issue"));
  for (const char* path : {"instructions/load/transactions=4", "ops/load/transactions=4", "ops/load/then/0/issue=4"})
    EXPECT_EQ(simulated({"--set", path}).status, 0) << path;
}

TEST(Set, SaysWhatIsWrongAndWhatIsNear) {
  for (const auto& [number, said] : std::vector<std::pair<std::string, std::string>>{
           {"limits/warps_per_uni=2", "did you mean \"warps_per_unit\"?"},
           {"warps_per_unit=2", "its path is limits/warps_per_unit"},
           {"limits.warps_per_unit=2", "its path is limits/warps_per_unit"},
           {"compute_units=2", "its path is /compute_units"},
           {"first.transaction=2", "did you mean \"first.transactions\"?"},
           {"firs.transactions=2", "no instruction \"firs\" in k; did you mean \"first\"?"},
           {"instructions/firs/transactions=2", "no instruction \"firs\" in k; did you mean \"first\"?"},
           {"instructions/first/issue=2", "unknown key \"instructions\""},
           {"ffma/issue=2", "its path is ops/ffma/issue"},
           {"first.conflict_degree=1.5", "a whole number from 1 to 2^53; found 1.5"},
           {"first.transactions=0", "a whole number from 1 to 2^53; found 0"},
           {"first.transactions=x2", "only issue and completion of an op take a factor"},
           {"/compute_units=x2", "only issue and completion of an op take a factor"},
           {"ffma.issue=x2", "no op \"ffma.issue\" in d"},
           {"ffma=x", "\"\" is not a number"},
           {"ffma=x-1", "at least 0"},
           {"ffma=2", "one of: ffma.issue, ffma.completion"},
           {"ffma.issue", "\"ffma.issue\" is not PATH=NUMBER"},
           {"=2", "\"=2\" is not PATH=NUMBER"},
           {"ffma.issue=fast", "\"fast\" is not a number"}}) {
    const auto outcome = simulated({"--set", number});
    EXPECT_EQ(outcome.status, 2) << number;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("--set"), HasSubstr(said))) << number;
  }
  EXPECT_THAT(simulated({"--set", "first.transactions=2", "first.transactions=3"}).err, HasSubstr("given twice"));
}

TEST(Set, OfAVerbWithoutAKernelTakesNoInstruction) {
  for (const Words& call : {Words{"roofline", "--device", "v100"}, Words{"derive", "v100", "-o", "x.json"}}) {
    auto words = call;
    words.insert(words.end(), {"--set", "load.transactions=2"});
    const auto outcome = Workplace().run(words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("there is no kernel that has the instruction"));
  }
}

TEST(OldSpellings, StandInNoHelpCompletionOrAdvice) {
  const auto all = warpipe({"simulate", "--help=all"}).out;
  const auto offered = warpipe({"completion", "candidates", "--", "simulate", "-"}).out;
  const auto page = warpipe({"man", "simulate"}).out;
  for (const char* hidden : {"set-device", "scale", "conflict-degree", "skipping", "ptxas-log", "max-instructions"}) {
    EXPECT_THAT(all, Not(HasSubstr(std::string("--") + hidden)));
    EXPECT_THAT(offered, Not(HasSubstr(std::string("--") + hidden)));
  }
  EXPECT_THAT(page, AllOf(HasSubstr(".B \\-\\-set "), Not(HasSubstr(".B \\-\\-scale"))));
  EXPECT_THAT(simulated({"--scal", "ffma=2"}).err, Not(HasSubstr("--scale")));
}

}  // namespace
}  // namespace warpipe::test
