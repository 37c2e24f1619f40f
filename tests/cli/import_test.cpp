// `warpipe import` as a user meets it: its outputs, their places, and its messages about nonsense.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
/// 64 threads sum squares, n times each, and exchange them over conflicting places of shared memory; then the second
/// warp leaves. At n = 0 no warp jumps. An opcode is made up.
constexpr const char* kSquares = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry squares(.param .u64 squares_param_0, .param .u32 squares_param_1)
{
  .reg .pred %p<4>; .reg .f32 %f<6>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
  .shared .align 4 .b8 tile[512];
  .loc 1 3 1
  ld.param.u64 %rd1, [squares_param_0];
  ld.param.u32 %r1, [squares_param_1];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r3, 0;
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  .loc 1 4 1
  st.global.f32 [%rd3], %f1;
  bra DONE;
LOOP:
  .loc 1 6 1
  ld.global.f32 %f2, [%rd3];
  fma.rn.f32 %f1, %f2, %f2, %f1;
  frob.b32 %r8, %r2;
  add.s64 %rd3, %rd3, 256;
  add.s32 %r3, %r3, 1;
  setp.lt.s32 %p2, %r3, %r1;
  @%p2 bra LOOP;
  .loc 1 8 1
  shl.b32 %r4, %r2, 3;
  mov.u32 %r5, tile;
  add.s32 %r6, %r5, %r4;
  st.shared.f32 [%r6], %f1;
  bar.sync 0;
  setp.ge.u32 %p3, %r2, 32;
  @%p3 bra DONE;
  .loc 1 9 1
  ld.shared.f32 %f3, [%r6+256];
  st.global.f32 [%rd1], %f3;
DONE:
  ret;
}
  .file 1 "squares.cu"
)";

Words import(const Words& more) {
  Words words{"import", "squares.ptx", "--block", "64", "--grid", "10"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words kLaunch{"--arg", "1=4", "--unknown", "frob:skip"};

Words launched(Words more) {
  more.insert(more.begin(), kLaunch.begin(), kLaunch.end());
  return import(more);
}

Outcome run(const Words& words) { return Workplace(Files{{"squares.ptx", kSquares}}).run(words); }

TEST(Import, WritesTheKernelAsInTheGoldenFile) {
  const auto outcome = run(launched({}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("left out: frob.b32 (line 25)"));
  expect_golden("import_kernel.json", outcome.out);
}

TEST(Import, ReportsAsInTheGoldenFiles) {
  const auto text = run(launched({"--report"}));
  EXPECT_THAT(text.err, IsEmpty());
  expect_golden("import_report.txt", text.out);
  expect_golden("import_report.json", run(launched({"--json"})).out);
}

TEST(Import, CountsWhatIsDerivedByHand) {
  const auto report = nlohmann::json::parse(run(launched({"--json"})).out);
  // Ten groups of two warps, four passes each.
  EXPECT_EQ(report.at("loops").at(0).at("entries"), 20);
  EXPECT_EQ(report.at("loops").at(0).at("trips"), nlohmann::json::parse(R"({"sum": 80, "least": 4, "most": 4})"));
  EXPECT_EQ(report.at("executions").at("ffma"), 80);
  EXPECT_EQ(report.at("executions").at("barrier"), 20);
  EXPECT_EQ(report.at("executions").at("shared.load"), 10);  // the first warps alone
  // Lanes 8 bytes apart: of 32 words in 64 every second bank is met twice.
  EXPECT_EQ(report.at("accesses").at(1).at("conflict_degree").at("most"), 2);
  // A store and a jump that no warp reaches.
  EXPECT_EQ(report.at("dropped"),
            nlohmann::json::parse(R"([{"line": 19, "source": "squares.cu:4", "instructions": 2}])"));
  EXPECT_EQ(report.at("left_out").at(0), "frob.b32 (line 25)");
}

TEST(Import, WritesTheKernelAndBothReportsWhereTheyAreToGo) {
  const Workplace place(Files{{"squares.ptx", kSquares}});
  const auto outcome = place.run(launched({"-o", "k.json", "--json=r.json"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, run(launched({"--report"})).out);
  EXPECT_EQ(place.read("k.json"), run(launched({})).out);
  EXPECT_EQ(place.read("r.json"), run(launched({"--json"})).out);
  EXPECT_EQ(place.run(launched({"-o", "k.json", "--json"})).out, place.read("r.json"));
  EXPECT_EQ(place.run(launched({"--json=r.json"})).out, place.read("k.json"));
}

// 160 waves of a unit (40 of 4096 groups) load 16 elements per lane, 64 bytes apart: 64 lines of 64 bytes, 0.55 cycles
// each. The stores and the scalar loads add less than 1 %.
TEST(Import, AKernelLooksUpTheLinesOfTheDeviceThatRunsIt) {
  const std::string assembly = in_sources("kernels/hip/asm/gfx90a/matvec.s");
  const Words launch{"--entry", "matvec_row_a_thread", "--block",   "256", "--grid", "4096",
                     "--arg",   "rows=1048576",        "columns=16"};
  const Workplace place;
  const auto with = [&](Words words) {
    words.insert(words.end(), launch.begin(), launch.end());
    return words;
  };
  ASSERT_EQ(place.run(with({"import", assembly, "-o", "k.json"})).status, 0);
  EXPECT_THAT(place.read("k.json"), testing::Not(HasSubstr("\"lines\"")));
  const Workplace::Settings shipped{.environment = {{"WARPIPE_DATA", ""}}};
  for (const auto& words : {with({"simulate", assembly}), Words{"simulate", "k.json"}}) {
    Words all = words;
    all.insert(all.end(), {"--device", "mi210", "--range", "off", "--json"});
    const auto outcome = place.run(all, shipped);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    double lsu = 0;
    const auto result = nlohmann::json::parse(outcome.out);
    for (const auto& bound : result.at("bounds"))
      if (bound.at("name") == "pipeline lsu") lsu = bound.at("cycles");
    EXPECT_GT(lsu, 160 * 16 * 64 * 0.55);
    EXPECT_LT(lsu, 160 * 16 * 64 * 0.55 * 1.01);
  }
}

// Of 2000 rows the last wave with work has 16, not 64: the address gives no number of lines valid for all waves.
TEST(Import, CountsThatHoldForAnotherDeviceAreRefusedWithTheWayOut) {
  const std::string assembly = in_sources("kernels/hip/asm/gfx90a/matvec.s");
  const Words launch{"--entry", "matvec_row_a_thread", "--block",   "256", "--grid", "8",
                     "--arg",   "rows=2000",           "columns=16"};
  const Workplace place;
  const Workplace::Settings shipped{.environment = {{"WARPIPE_DATA", ""}}};
  const auto import_for = [&](Words words) {
    words.insert(words.begin(), {"import", assembly, "-o", "k.json"});
    words.insert(words.end(), launch.begin(), launch.end());
    EXPECT_EQ(place.run(words, shipped).status, 0);
  };
  const Words simulate{"simulate", "k.json", "--device", "mi210"};
  import_for({});
  const auto refused = place.run(simulate, shipped);
  EXPECT_EQ(refused.status, 4);
  EXPECT_THAT(refused.err, HasSubstr("line_bytes 128"));
  EXPECT_THAT(refused.err, HasSubstr("import the kernel for this device, by --device"));
  import_for({"--device", "mi210"});
  EXPECT_EQ(place.run(simulate, shipped).status, 0);
}

/// A device with four cycles for every op.
std::string plain_device() {
  std::string ops;
  for (const std::string op : {"index", "imad", "iadd", "compare", "branch", "ffma", "global.load", "global.store",
                               "shared.load", "shared.store", "barrier"})
    ops += fmt::format(R"({}"{}": {{"pipeline": "p", "issue": 1, "completion": 4{}}})", ops.empty() ? "" : ", ", op,
                       op.starts_with("global")   ? R"(, "per_transaction": {"issue": 1})"
                       : op.starts_with("shared") ? R"(, "per_conflict": {"issue": 1})"
                                                  : "");
  return fmt::format(R"({{"format": "warpipe-device", "version": 1, "name": "d", "compute_units": 1, "clock_hz": 1e9,
    "warp_size": 32, "limits": {{"groups_per_unit": 4}}, "pipelines": {{"p": {{}}}},
    "memory": {{"bandwidth_bytes_per_s": 1e9, "transaction_bytes": 32, "banks": 32, "bank_bytes": 4}}, "ops": {{{}}}}})",
                     ops);
}

TEST(Import, WhatItWritesPredictsAsThePtxDoes) {
  const Workplace place(Files{{"squares.ptx", kSquares}, {"d.json", plain_device()}});
  place.run(launched({"-o", "k.json"}));
  Words direct{"simulate", "squares.ptx", "--device", "d.json", "--block", "64", "--grid", "10", "--json"};
  direct.insert(direct.end(), kLaunch.begin(), kLaunch.end());
  const auto of_ptx = place.run(direct), of_file = place.run({"simulate", "k.json", "--device", "d.json", "--json"});
  ASSERT_EQ(of_ptx.status, 0) << of_ptx.err;
  EXPECT_EQ(nlohmann::json::parse(of_ptx.out).at("cycles"), nlohmann::json::parse(of_file.out).at("cycles"));
}

/// Nonsense, and the message about it.
struct Nonsense {
  Words words;
  int status;
  std::string message;
};

TEST(Import, SaysWhatIsWrongWithEachOption) {
  const std::vector<Nonsense> all{
      {{"--arg", "1"}, 2, "--arg: \"1\" is not NAME=VALUE"},
      {{"--arg", "1=x"}, 2, "--arg 1"},
      {{"--arg", "1=4", "1=5"}, 2, "the name is given twice"},
      {{"--arg", "m=4"}, 2, "1 (.u32, whose name is not known)"},
      {{}, 3, "squares.ptx: line 17, from squares.cu:3: a branch needs the value of parameter 1"},
      {{"--entry", "cubes"}, 3, "there is no entry \"cubes\"; found squares"},
      {{"--entry", "sqares"}, 3, "did you mean \"squares\"?"},
      {{"--entry="}, 2, "needs a value"},
      {{"--array", "0"}, 2, "is not NAME=FILE"},
      {{"--array", "0=none.txt"}, 3, "none.txt"},
      {{"--array", "0=squares.ptx"}, 3, "is not a number; write numbers with blanks or commas between them"},
      {{"--array", "0=uniform:0"}, 2, "a whole number from 1"},
      {{"--array", "0=rows:x"}, 2, "--array"},
      {{"--trip", "LOOP"}, 2, "LABEL=N"},
      {{"--trip", "LOOP=0"}, 2, "a whole number from 1"},
      {{"--trip", "LOP=3"}, 2, "did you mean \"LOOP\"?"},
      {{"--taken", "DONE"}, 2, "LABEL=SHARE"},
      {{"--taken", "DONE=2"}, 2, "from 0 to 1"},
      {{"--taken", "NONE=1"}, 2, "no conditional branch goes to that label"},
      {{"--registers", "0"}, 2, "a whole number from 1"},
      {{"--registers", "many"}, 2, "found \"many\""},
      {{"--registers", "3", "--ptxas"}, 2, "only one of --registers, --ptxas-log and --ptxas can be given"},
      {{"--ptxas-log", "none.log"}, 3, "none.log"},
      {{"--ptxas-log", "squares.ptx"}, 3, "squares.ptx"},
      {{"--ptxas-log="}, 2, "needs a value"},
      {{"--dynamic-shared-memory", "-1"}, 2, "a whole number from 0"},
      {{"--dynamic-shared-memory", "1e10"}, 2, "2^30 bytes"},
      {{"--dynamic-shared-memory", "0.5"}, 2, "a whole number"},
      {{"--without", "dead-coda"}, 2, "did you mean \"dead-code\"?"},
      {{"--without", ""}, 2, "--without"},
      {{"--without=copies,constants"}, 2, "--without"},
      {{"--unknown", "frob"}, 2, "OPCODE:OP"},
      {{"--unknown", ":iadd"}, 2, "OPCODE:OP"},
      {{"--unknown", "frob:"}, 2, "OPCODE:OP"},
      {{"--max-instructions", "0"}, 2, "a whole number from 1"},
      {{"--max-instructions", "-3"}, 2, "a whole number from 1"},
      {{"--max-instructions", "1", "--arg", "1=4"}, 3, "more than 1 instructions to execute"},
      {{"--json", "--report"}, 2, "can go to standard output"},
      {{"--json", "-o", "-"}, 2, "can go to standard output"},
      {{"--json=none/r.json"}, 3, "the output cannot be created"},
      {{"--warp-size", "65"}, 2, "at most 64 lanes"},
      {{"--warp-size", "0"}, 2, "a whole number from 1"},
      {{"--warp-size", "32.5"}, 2, "a whole number"}};
  for (const auto& one : all) {
    auto words = import({"--unknown", "skip"});
    words.insert(words.end(), one.words.begin(), one.words.end());
    const auto outcome = run(words);
    EXPECT_EQ(outcome.status, one.status) << fmt::format("{}", fmt::join(words, " ")) << "\n" << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(one.message)) << fmt::format("{}", fmt::join(words, " "));
    EXPECT_THAT(outcome.err, StartsWith("warpipe: error: "));
  }
}

TEST(Import, SaysWhatIsWrongWithALaunch) {
  const std::vector<Nonsense> all{{{"--grid", "1"}, 2, "give --block X[,Y[,Z]]"},
                                  {{"--block", "1"}, 2, "give --grid X[,Y[,Z]]"},
                                  {{"--block", "64,x", "--grid", "1"}, 2, "found \"x\""},
                                  {{"--block", "1,2,3,4", "--grid", "1"}, 2, "X,Y or X,Y,Z"},
                                  {{"--block", "0", "--grid", "1"}, 2, "a whole number from 1"},
                                  {{"--block", "1025", "--grid", "1"}, 2, "1 to 1024 threads"},
                                  {{"--block", "64", "--grid", "2147483647,65535"}, 2, "1 to 2^40 groups"},
                                  {{"--block", "64", "--grid", "99999999999"}, 2, "--grid: a grid must have 1 to 2^31"},
                                  {{"--block", "64", "--grid", "-1"}, 2, "a whole number from 1"},
                                  {{"--block", "64", "--grid", ","}, 2, "--grid"}};
  for (const auto& one : all) {
    Words words{"import", "squares.ptx", "--arg", "1=4", "--unknown", "skip"};
    words.insert(words.end(), one.words.begin(), one.words.end());
    const auto outcome = run(words);
    EXPECT_EQ(outcome.status, one.status) << fmt::format("{}", fmt::join(words, " ")) << "\n" << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(one.message)) << fmt::format("{}", fmt::join(words, " "));
  }
}

TEST(Import, RefusesAVersionThatIsNotKnownAndAFileThatIsNone) {
  const std::string text = kSquares;
  for (const auto& [content, message] : std::map<std::string, std::string>{
           {"", "a PTX file begins with .version"},
           {"ELF", "a PTX file begins with .version"},
           {".version 2.3" + text.substr(12), "squares.ptx: line 1: versions 3.0 to 9.x"},
           {".version 10.0" + text.substr(12), "squares.ptx: line 1: versions 3.0 to 9.x"},
           {text.substr(0, text.find("LOOP:")), "squares.ptx: line 21"}}) {
    const auto outcome = Workplace(Files{{"squares.ptx", content}}).run(launched({}));
    EXPECT_EQ(outcome.status, 3) << message;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  }
}

}  // namespace
}  // namespace warpipe::test
