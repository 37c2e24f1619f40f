// Spaces of configurations. The compiler, a script, puts the macro COUNT into the PTX of a loop, fails for COUNT 7, and
// waits for its end where there is a file `hang` and COUNT is 5.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "program.hpp"

namespace warpipe::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kLoop = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry work(.param .u64 out)
{
  .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<2>; .reg .f32 %f<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, COUNT;
  mov.f32 %f1, 0f3F800000;
LOOP:
  fma.rn.f32 %f1, %f1, %f1, %f1;
  add.s32 %r1, %r1, -1;
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra LOOP;
  st.global.f32 [%rd1], %f1;
  ret;
}
)";

constexpr const char* kCompiler = R"(#!/bin/sh
here=${0%/*}
case "$1" in --list-gpu-arch) echo "compute_75 compute_80 compute_90"; exit;; esac
for word; do
  case "$word" in -DCOUNT=*) count=${word#-DCOUNT=};; esac
done
echo "$count" >> "$here/compiled"
if [ "$count" = 7 ]; then echo "work.cu(1): error: seven is not liked"; exit 2; fi
if [ "$count" = 5 ] && [ -e "$here/hang" ]; then /bin/sleep 1000; fi
for word; do
  if [ "$before" = -o ]; then /bin/sed "s/COUNT/$count/" "$here/loop.ptx" > "$word"; fi
  before=$word
done
)";

constexpr const char* kSpace = R"({
  "format": "warpipe-space", "version": 1, "source": "work.cu",
  "tunables": { "COUNT": [7, 400, 5, 3000, 20, 3], "bx": [64, 128, 2048] },
  "restrictions": ["COUNT != 3 or bx == 64"],
  "block": ["bx"], "grid": ["131072 // bx"]
})";

class TuningBench {
 public:
  TuningBench() : place_(Files{{"work.cu", "int count = COUNT;\n"}, {"space.json", kSpace}}) {
    for (const char* folder : {"bin", "tmp"}) fs::create_directory(place_.path(folder));
    place_.write("bin/loop.ptx", kLoop);
    place_.write("bin/nvcc", kCompiler);
    fs::permissions(place_.path("bin/nvcc"), fs::perms::owner_all);
  }

  Outcome tune(const Words& more = {}, Workplace::Settings settings = {},
               const std::string& space = "space.json") const {
    settings.environment = {
        {"PATH", place_.path("bin")}, {"CUDA_PATH", place_.path("no-toolkit")}, {"TMPDIR", place_.path("tmp")}};
    auto outcome = place_.run(Words{"tune", "--space", space, "--device", "a100", "--range=off"} + more, settings);
    EXPECT_TRUE(fs::is_empty(place_.path("tmp"))) << "intermediate files stayed";
    return outcome;
  }

  std::ptrdiff_t compilations() const { return std::ranges::count(place_.read("bin/compiled"), '\n'); }
  const Workplace& place() const { return place_; }

 private:
  Workplace place_;
};

std::ptrdiff_t count(const std::string& text, const std::string& part) {
  std::ptrdiff_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Six values of the macro are six sources, whatever the block.
TEST(Tune, CompilesEachDistinctSourceOnce) {
  const TuningBench bench;
  const auto outcome = bench.tune();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(bench.compilations(), 6);
  EXPECT_THAT(outcome.out, HasSubstr("16 configurations of 6 sources"));
}

// Of 1024 groups on 108 units each unit has about ten in turn: 3000 trips of 4 cycles each take longer by their bound
// than a loop of 5 trips.
TEST(Tune, ABoundSaysThatOthersAreNotTheBest) {
  const TuningBench bench;
  const auto two_stages = bench.tune({"--top=1", "--csv=-"}), all = bench.tune({"--top=1", "--all", "--csv=-"});
  EXPECT_THAT(two_stages.out, HasSubstr("a100,3000,128,128,1024,bounded,"));
  EXPECT_EQ(count(all.out, ",bounded,"), 0);
  const auto first = [](const std::string& csv) {
    const auto at = csv.find(",simulated,1,");
    return csv.substr(csv.rfind('\n', at) + 1, csv.find('\r', at) - csv.rfind('\n', at));
  };
  EXPECT_EQ(first(two_stages.out), first(all.out));
  EXPECT_THAT(first(all.out), HasSubstr(",simulated,1,"));
}

// COUNT 7 with three blocks does not compile; four other values have a block of 2048 threads.
TEST(Tune, WhatNoDeviceRunsIsARowWithItsReason) {
  const TuningBench bench;
  const auto outcome = bench.tune();
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("7 fail"), HasSubstr("4 fail: a block must have 1 to 1024 threads"),
                                 HasSubstr("3 fail: the compiler fails: work.cu(1): error: seven is not liked")));
}

TEST(Tune, TheCommandLineGoesBeforeTheFile) {
  const TuningBench bench;
  const auto outcome = bench.tune({"--block=32,bx//32", "--grid=7", "--where=bx < 1024 and COUNT == 20", "--csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("a100,20,64,32x2,7,simulated"), HasSubstr("a100,20,128,32x4,7,simulated"),
                                 Not(HasSubstr("a100,3,"))));
  EXPECT_THAT(bench.tune({"--grid", "bx +"}).err, HasSubstr("--grid: something lacks at the end"));
  EXPECT_EQ(bench.tune({"--block=1,2,3,4"}).status, 2);
}

// The cache of a tuner has the problem and the block, but no tiles.
TEST(Tune, SaysThatTheGridOfACacheIsAssumed) {
  const TuningBench bench;
  bench.place().write("cache.json", R"json({ "device_name": "a100", "kernel_name": "work", "problem_size": 1024,
    "tune_params_keys": ["block_size_x", "COUNT"],
    "cache": { "64,3": { "block_size_x": 64, "COUNT": 3, "time": 1.0 } } })json");
  const auto said = [&](const Words& more) { return bench.tune(Words{"work.cu"} + more, {}, "cache.json").err; };
  EXPECT_THAT(said({}), HasSubstr("cache.json: the grid is assumed to be the problem over the block"));
  EXPECT_THAT(said({"--grid=1024//block_size_x"}), Not(HasSubstr("assumed")));
}

// The table has 3 and 5 the other way round: of the three pairs two agree.
TEST(Tune, MeasuredTimesScoreTheOrder) {
  const TuningBench bench;
  bench.place().write("times.csv", "COUNT,bx,us\n3,64,2\n5,64,1\n3000,64,9\n4000,64,9\n");
  const auto outcome = bench.tune({"--all", "--where=bx == 64", "--measured", "times.csv"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("measured: 3 of those"), HasSubstr("tau-b 0.33"),
                                 HasSubstr("the first: takes 100.0 % longer")));
  EXPECT_THAT(outcome.err, HasSubstr("times.csv: 1 row is of no configuration"));
}

TEST(Tune, PtxHasNoMacros) {
  const TuningBench bench;
  auto ptx = std::string(kLoop);
  ptx.replace(ptx.find("COUNT"), 5, "20");
  bench.place().write("work.ptx", ptx);
  bench.place().write("launches.json", R"({"format":"warpipe-space","version":1,"tunables":{"bx":[32,64]},
    "block":["bx"],"grid":["4096//bx"]})");
  const auto outcome = bench.place().run({"tune", "work.ptx", "--space=launches.json", "--device=a100", "--range=off"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("2 configurations of 1 source: 2 simulated"));
  const auto refused =
      bench.place().run({"tune", "work.ptx", "--space=launches.json", "--device=a100", "--macro", "A=bx"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("macros or flags, and this is not source"));
}

TEST(Tune, SeveralDevicesAreRankedEach) {
  const TuningBench bench;
  const auto outcome = bench.tune({"--device=v100", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\"device\": \"a100\""), HasSubstr("\"device\": \"v100\"")));
  EXPECT_EQ(bench.tune({"--device=a100"}).status, 2);
}

TEST(Tune, TheSameBytesOnAnyNumberOfThreads) {
  const TuningBench bench;
  const auto one = bench.tune({"--threads=1", "--top=2", "--csv"}),
             five = bench.tune({"--threads=5", "--top=2", "--csv"});
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(one.out, five.out);
}

// The compiler of COUNT 5, the third source, waits until it is ended.
TEST(Tune, InterruptedAndResumedGivesTheSameBytes) {
  const TuningBench bench;
  EXPECT_EQ(bench.tune({"--csv=expected.csv"}).status, 0);
  const auto before = bench.compilations();
  bench.place().write("bin/hang", "");
  Workplace::Settings settings;
  settings.signals = {SIGTERM};
  settings.sent_at = {"rows.csv.part", 3};  // a header, two parts
  const auto cut = bench.tune({"--csv=rows.csv", "--threads=1"}, settings);
  EXPECT_EQ(cut.status, 143);
  EXPECT_THAT(cut.err, HasSubstr("what was found is in rows.csv.part; the same command with --resume goes on"));
  EXPECT_FALSE(fs::exists(bench.place().path("rows.csv")));
  fs::remove(bench.place().path("bin/hang"));
  EXPECT_THAT(bench.tune({"--csv=rows.csv"}).err, HasSubstr("go on with --resume"));
  EXPECT_THAT(bench.tune({"--csv=rows.csv", "--resume", "--top=3"}).err, HasSubstr("of another command"));
  const auto resumed = bench.tune({"--csv=rows.csv", "--resume"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(bench.place().read("rows.csv"), bench.place().read("expected.csv"));
  EXPECT_FALSE(fs::exists(bench.place().path("rows.csv.part")));
  EXPECT_LT(bench.compilations(), 2 * before + 3);
}

// The compiler of COUNT 5 waits until it is ended; meanwhile a header changes.
TEST(Tune, DoesNotGoOnWhereAHeaderHasChanged) {
  const TuningBench bench;
  bench.place().write("work.cu", "#include \"inner/part.h\"\nint count = COUNT;\n");
  fs::create_directory(bench.place().path("inner"));
  bench.place().write("inner/part.h", "int before;\n");
  bench.place().write("bin/hang", "");
  Workplace::Settings settings;
  settings.signals = {SIGTERM};
  settings.sent_at = {"rows.csv.part", 3};
  EXPECT_EQ(bench.tune({"--csv=rows.csv", "--threads=1"}, settings).status, 143);
  fs::remove(bench.place().path("bin/hang"));
  bench.place().write("inner/part.h", "int after;\n");
  EXPECT_THAT(bench.tune({"--csv=rows.csv", "--resume"}).err, HasSubstr("of another command or input"));
  bench.place().write("inner/part.h", "int before;\n");
  EXPECT_EQ(bench.tune({"--csv=rows.csv", "--resume"}).status, 0);
}

TEST(Tune, NeedsASpaceADeviceAndASource) {
  const Workplace workplace(Files{{"space.json", R"({"format":"warpipe-space","version":1,"tunables":{"a":[1]}})"}});
  EXPECT_THAT(workplace.run({"tune", "a.cu", "--device=a100"}).err, HasSubstr("--space"));
  EXPECT_THAT(workplace.run({"tune", "--space=space.json", "--device=a100"}).err, HasSubstr("SOURCE"));
  EXPECT_EQ(workplace.run({"tune", "a.cu", "--space=space.json", "--device=a100"}).status, 3);
  EXPECT_EQ(workplace.run({"tune", "a.cu", "--space=space.json", "--device=a100", "--resume"}).status, 2);
}

}  // namespace
}  // namespace warpipe::test
