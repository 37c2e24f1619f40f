// CUDA source as a KERNEL. The compilers here are scripts that imitate compilers; the last test uses a real nvcc where
// there is one.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kTwiceSource = R"(#define COUNT 4
template <class T> __global__ void __launch_bounds__(64) twice(T* data, int n) {
  if (n > COUNT) data[threadIdx.x] += data[threadIdx.x];
}
)";

/// The PTX of kTwiceSource.
constexpr const char* kTwicePtx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry _Z5twiceIfEvPT_i(.param .u64 _Z5twiceIfEvPT_i_param_0, .param .u32 _Z5twiceIfEvPT_i_param_1)
.maxntid 64
{
  .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<2>; .reg .f32 %f<3>;
  .loc 1 3 1
  ld.param.u64 %rd1, [_Z5twiceIfEvPT_i_param_0];
  ld.param.u32 %r1, [_Z5twiceIfEvPT_i_param_1];
  setp.lt.s32 %p1, %r1, 5;
  @%p1 bra END;
  ld.global.f32 %f1, [%rd1];
  add.f32 %f2, %f1, %f1;
  st.global.f32 [%rd1], %f2;
END:
  ret;
}
  .file 1 "twice.cu"
)";

/// Notes its words in `words` and writes the PTX to the file named behind -o.
constexpr const char* kGoodCompiler = R"(#!/bin/sh
here=${0%/*}
case "$1" in --list-gpu-arch) echo "compute_75 compute_80 compute_90"; exit;; esac
case "$2" in --print-supported-cpus) printf 'Available CPUs:\n\tsm_60\n\tsm_86\n' >&2; exit;; esac
for word; do
  echo "$word" >> "$here/words"
  if [ "$before" = -o ]; then /bin/cat "$here/made.ptx" > "$word"; fi
  before=$word
done
echo "remark: this is no error"
)";

/// A directory with the source, and a folder `bin` of compilers, the only folder of PATH.
class CompilerBench {
 public:
  CompilerBench() : place_(Files{{"twice.cu", kTwiceSource}}) {
    fs::create_directory(place_.path("bin"));
    fs::create_directory(place_.path("tmp"));
    place_.write("bin/made.ptx", kTwicePtx);
  }

  void put(const std::string& name, const std::string& script) const {
    place_.write("bin/" + name, script);
    fs::permissions(place_.path("bin/" + name), fs::perms::owner_all);
  }

  Outcome run(const Words& words) const {
    Workplace::Settings settings;
    settings.environment = {
        {"PATH", place_.path("bin")}, {"CUDA_PATH", place_.path("no-toolkit")}, {"TMPDIR", place_.path("tmp")}};
    auto outcome = place_.run(words, settings);
    EXPECT_TRUE(fs::is_empty(place_.path("tmp"))) << "intermediate files stayed";
    return outcome;
  }

  Outcome simulate(const Words& more = {}) const {
    return run(Words{"simulate", "twice.cu", "--device", "gtx1060", "--grid", "8", "--arg", "n=9"} + more);
  }

  void write(const std::string& name, const std::string& text) const { place_.write(name, text); }
  std::string words() const { return place_.read("bin/words"); }
  const Workplace& place() const { return place_; }

 private:
  Workplace place_;
};

TEST(CudaSource, IsCompiledByTheNvccOfThePath) {
  const CompilerBench bench;
  bench.put("nvcc", kGoodCompiler);
  bench.put("clang++", "#!/bin/sh\nexit 1\n");
  const auto outcome = bench.simulate();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("compiled twice.cu with " + bench.place().path("bin/nvcc") + " for sm_75"),
                                 HasSubstr("nvcc does not compile for sm_61"), HasSubstr("64x1x1, from .maxntid"),
                                 Not(HasSubstr("remark"))));
  EXPECT_THAT(bench.words(), testing::StartsWith("-ptx\n-x\ncu\n-lineinfo\n-arch=sm_75\n-o\n"));
  EXPECT_THAT(bench.words(), testing::EndsWith("\ntwice.cu\n"));
}

TEST(CudaSource, IsCompiledByClangWhereThereIsNoNvcc) {
  const CompilerBench bench;
  bench.put("clang++", kGoodCompiler);
  EXPECT_EQ(bench.simulate().status, 0);
  EXPECT_THAT(bench.words(), AllOf(HasSubstr("--cuda-device-only\n"), HasSubstr("\n--cuda-gpu-arch=sm_60\n")));
}

TEST(CudaSource, IsCompiledForTheDeviceWhereTheCompilerCan) {
  const CompilerBench bench;
  bench.put("nvcc", kGoodCompiler);
  EXPECT_THAT(bench.simulate({"--device=h100"}).err, HasSubstr("only once"));
  const auto outcome = bench.run({"occupancy", "twice.cu", "--device=h100", "--grid=8", "--arg", "n=9"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("for sm_90"), Not(HasSubstr("does not compile"))));
}

TEST(CudaSource, IsAKernelOfEveryVerbThatTakesOne) {
  const CompilerBench bench;
  bench.put("nvcc", kGoodCompiler);
  const Words launch{"--grid", "8", "--arg", "n=9"};
  for (const Words& verb : {Words{"simulate", "twice.cu", "--device=h100"},
                            {"sweep", "twice.cu", "--device=h100", "--vary=arg.n=8:10"},
                            {"occupancy", "twice.cu", "--device=h100"},
                            {"what-if", "twice.cu", "--device=h100"},
                            {"compare", "twice.cu", "--device=h100"},
                            {"diff", "twice.cu", "--device=h100", "--device-b=a100"},
                            {"graph", "twice.cu"},
                            {"import", "twice.cu"}}) {
    const auto outcome = bench.run(verb + launch);
    EXPECT_EQ(outcome.status, 0) << verb.front() << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("compiled twice.cu")) << verb.front();
  }
  EXPECT_EQ(bench.run({"check", "twice.cu"}).out, "twice.cu: PTX 8.0 with _Z5twiceIfEvPT_i: ok\n");
  EXPECT_THAT(bench.run({"list", "twice.cu"}).out, HasSubstr("void twice<float>(float*, int), at twice.cu:3"));
}

TEST(CudaSource, OfASweepIsCompiledOnceForEachCapabilityOfItsDevices) {
  const CompilerBench bench;
  bench.put("nvcc", kGoodCompiler);
  const Words sweep{"sweep", "--vary", "device=v100,a100,h100,v100", "kernel=twice.cu,twice.cu", "--grid", "8",
                    "--arg", "n=9"};
  const auto outcome = bench.run(sweep);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto compilations = [&] {
    std::size_t count = 0;
    for (auto at = outcome.err.find("compiled twice.cu"); at != std::string::npos;
         at = outcome.err.find("compiled twice.cu", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(compilations(), 3U) << outcome.err;
  const auto kept = bench.run(sweep + Words{"--keep", "kept.ptx"});
  EXPECT_EQ(kept.status, 2);
  EXPECT_THAT(kept.err, HasSubstr("this sweep makes several; leave it out"));
}

/// The compiler above, but for a TILE of 3, refused.
constexpr const char* kFussyCompiler = R"(#!/bin/sh
case "$*" in *-DTILE=3*) echo "TILE must be even" >&2; exit 1;; esac
exec "${0%/*}/nvcc.good" "$@"
)";

TEST(CudaSource, OfASweepIsCompiledForEachValueOfItsMacros) {
  const CompilerBench bench;
  bench.put("nvcc.good", kGoodCompiler);
  bench.put("nvcc", kFussyCompiler);
  const auto swept = bench.run({"sweep", "twice.cu", "--device", "gtx1060", "--grid", "8", "--arg", "n=9", "--csv",
                                "--vary", "define.TILE=2:4", "define.T=float,half", "arg.n=4,9"});
  EXPECT_EQ(swept.status, 0) << swept.err;
  std::vector<std::string> rows;
  std::istringstream lines(swept.out);
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), 1u + 3 * 2 * 2);
  EXPECT_THAT(rows[0], testing::StartsWith("define.TILE,define.T,arg.n,"));
  EXPECT_THAT(rows[1], testing::StartsWith("2,float,4,"));
  EXPECT_THAT(rows[4], testing::StartsWith("2,half,9,"));
  for (int row = 5; row < 9; ++row)
    EXPECT_THAT(rows[static_cast<std::size_t>(row)], HasSubstr("twice.cu with TILE=3, T="));
  EXPECT_THAT(rows[9], testing::AllOf(testing::StartsWith("4,float,4,"), Not(HasSubstr("ended with status"))));
  EXPECT_THAT(bench.words(), AllOf(HasSubstr("-DTILE=2\n-DT=float\n"), HasSubstr("-DTILE=4\n-DT=half\n")));
}

TEST(CudaSource, MeasuredTimesOfMacrosHaveColumnsByTheirNames) {
  const CompilerBench bench;
  bench.put("nvcc", kGoodCompiler);
  for (const char* header : {"TILE,n,ms", "define.TILE,arg.n,ms"}) {
    bench.write("times.csv", std::string(header) + "\n4,9,1.5\n2,4,0.25\n");
    const auto swept = bench.run({"sweep", "twice.cu", "--device", "gtx1060", "--grid", "8", "--arg", "n=9", "--vary",
                                  "define.TILE=2,4", "arg.n=4,9", "--measured", "times.csv"});
    EXPECT_EQ(swept.status, 0) << swept.err;
    EXPECT_THAT(swept.out, testing::ContainsRegex("\n +2 +4 .* 250 ")) << header;
    EXPECT_THAT(swept.out, testing::ContainsRegex("\n +4 +9 .* 1500 ")) << header;
  }
}

TEST(CudaSource, MacrosAreOfSourceAndHaveNames) {
  const CompilerBench bench;
  bench.put("nvcc", kGoodCompiler);
  const auto refused = [&](const char* kernel, const char* varied) {
    const auto swept = bench.run({"sweep", kernel, "--device", "gtx1060", "--vary", varied});
    EXPECT_EQ(swept.status, 2);
    return swept.err;
  };
  EXPECT_THAT(refused("saxpy", "define.N=1,2"), HasSubstr("macros are of source, and "));
  EXPECT_THAT(refused("twice.cu", "define.2N=1,2"), HasSubstr("\"2N\" is not the name of a macro"));
  EXPECT_THAT(refused("twice.cu", "define.N=4:1"), HasSubstr("MIN is above MAX: 4 > 1"));
  EXPECT_THAT(refused("twice.cu", "define.N=a,,b"), HasSubstr("a name is empty"));
}

TEST(CudaSource, FlagsAndCompilerAreTheUsers) {
  const CompilerBench bench;
  bench.put("my-nvcc", kGoodCompiler);
  const auto outcome =
      bench.simulate({"--compiler", "my-nvcc", "--compiler-flags=-I 'two words' -DN=\"4 $HOME;exit\" -arch=sm_80"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(bench.words(), HasSubstr("-lineinfo\n-I\ntwo words\n-DN=4 $HOME;exit\n-arch=sm_80\n-o\n"));
  EXPECT_THAT(bench.simulate({"--compiler-flags", "-DX='"}).err, HasSubstr("--compiler-flags: a quote is not closed"));
  EXPECT_THAT(bench.simulate({"--compiler", "nonsense"}).err,
              HasSubstr("--compiler: there is no program \"nonsense\""));
}

TEST(CudaSource, KeepsThePtx) {
  const CompilerBench bench;
  bench.put("nvcc", kGoodCompiler);
  EXPECT_EQ(bench.simulate({"--keep", "kept.ptx", "--quiet"}).err, "");
  EXPECT_EQ(bench.place().read("kept.ptx"), kTwicePtx);
  EXPECT_THAT(bench.simulate({"--keep", "twice.cu"}).err, HasSubstr("this would overwrite twice.cu"));
  EXPECT_EQ(bench.place().read("twice.cu"), kTwiceSource);
  EXPECT_EQ(bench.simulate({"--keep", "-"}).status, 2);
  EXPECT_EQ(bench.run({"check", "twice.cu", "twice.cu", "--keep=k.ptx"}).status, 2);
  EXPECT_EQ(bench.run({"diff", "twice.cu", "twice.cu", "--device=h100", "--grid=8", "--keep=k.ptx"}).status, 2);
}

TEST(CudaSource, ACompilerThatFailsSpeaksForItself) {
  const CompilerBench bench;
  bench.put("nvcc", "#!/bin/sh\necho \"twice.cu(3): error: x is\tundefined\"\necho second >&2\nexit 2\n");
  const auto outcome = bench.simulate({"--quiet"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("twice.cu(3): error: x is\tundefined\nsecond\n"),
                                 HasSubstr("nvcc ended with status 2; what it printed stands above")));
  bench.put("nvcc", "#!/bin/sh\nprintf '\\033[31m%070000d' 1\nexit 2\n");
  const auto long_one = bench.simulate();
  EXPECT_LT(long_one.err.size(), 70'000U);
  EXPECT_THAT(long_one.err, AllOf(testing::StartsWith(" [31m0000"), HasSubstr("\n... and 4469 bytes more\n")));
  bench.put("nvcc", "#!/bin/sh\nkill -SEGV $$\n");
  EXPECT_THAT(bench.simulate().err, HasSubstr("was ended by signal 11"));
  bench.put("nvcc", "not a program\0\n");
  EXPECT_EQ(bench.simulate().status, 3);
}

TEST(CudaSource, ACompilerThatMakesNothingIsAnError) {
  const CompilerBench bench;
  bench.put("nvcc", "#!/bin/sh\nexit 0\n");
  EXPECT_THAT(bench.simulate().err, HasSubstr("made no PTX of it; it printed nothing"));
  bench.put("nvcc",
            "#!/bin/sh\nfor word; do if [ \"$before\" = -o ]; then echo code > $word; fi; before=$word; done\n");
  const auto outcome = bench.simulate();
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("made no PTX of it"));
  EXPECT_THAT(outcome.out, IsEmpty());
}

TEST(CudaSource, ACompilerThatHangsIsCutOffWithAllItStarted) {
  const CompilerBench bench;
  bench.put("nvcc", "#!/bin/sh\ncase \"$1\" in --list*) exit;; esac\necho begun\n/bin/sleep 1000 & wait\n");
  const auto outcome = bench.simulate({"--compiler-timeout", "1"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("begun\n"), HasSubstr("took too long and was cut off"),
                                 HasSubstr("give it more seconds with --compiler-timeout")));
  bench.put("nvcc", "#!/bin/sh\nexec >&- 2>&-\n/bin/sleep 1000\n");
  EXPECT_THAT(bench.simulate({"--compiler-timeout=1", "--compiler-flags=-arch=sm_80"}).err, HasSubstr("was cut off"));
}

TEST(CudaSource, AnInterruptLeavesNothing) {
  const CompilerBench bench;
  bench.put("nvcc", "#!/bin/sh\ncase \"$1\" in --list*) exit;; esac\necho x > ${0%/*}/begun\n/bin/sleep 1000\n");
  Workplace::Settings settings;
  settings.environment = {{"PATH", bench.place().path("bin")}, {"TMPDIR", bench.place().path("tmp")}};
  settings.signals = {SIGINT};
  settings.sent_at = {"bin/begun", 1};
  const auto outcome =
      bench.place().run({"simulate", "twice.cu", "--device", "h100", "--grid", "8", "--arg", "n=9"}, settings);
  EXPECT_EQ(outcome.status, 130);
  EXPECT_TRUE(fs::is_empty(bench.place().path("tmp")));
}

TEST(CudaSource, WithoutACompilerTheWayOutIsNamed) {
  const auto outcome = CompilerBench().simulate();
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("no compiler for CUDA source was found"), HasSubstr("no-toolkit/bin/nvcc"),
                                 HasSubstr("--compiler PROGRAM"), HasSubstr("`nvcc -ptx -lineinfo`")));
}

// For a GPU of AMD the source is HIP, whatever its ending; the chosen clang compiles for it.
TEST(HipSource, IsCompiledByAClangThatKnowsTheDevice) {
  const CompilerBench bench;
  bench.put("clang++", "#!/bin/sh\necho gfx90a\n");
  bench.put("clang", "#!/bin/sh\nexit 1\n");
  const auto simulate = [&](const std::string& source, const std::string& device) {
    return bench.run({"simulate", source, "--device=" + device, "--grid=8"}).err;
  };
  EXPECT_THAT(simulate("twice.cu", "mi300a"), HasSubstr("no compiler for gfx942 was found"));
  bench.put("clang++-19",
            "#!/bin/sh\ncase $2 in --print-supported-cpus) echo gfx900 gfx942;; esac\necho $@ >> ${0%/*}/words\n");
  EXPECT_THAT(simulate("twice.cu", "mi300a"), HasSubstr("clang++-19 made no AMD assembly of it"));
  const auto words = bench.place().read("bin/words");
  EXPECT_THAT(words, AllOf(HasSubstr("-x hip "), HasSubstr("--offload-arch=gfx942 "), HasSubstr("hip/hip_runtime.h ")));
  bench.place().write("twice.hip", kTwiceSource);
  EXPECT_THAT(simulate("twice.hip", "h100"), HasSubstr("this is HIP source, and \"h100\" is not a GPU of AMD"));
}

TEST(CudaSource, OptionsOfCompilersAreForSourceOnly) {
  const CompilerBench bench;
  bench.put("nvcc", kGoodCompiler);
  bench.place().write("made.ptx", kTwicePtx);
  for (const Words& words : {Words{"simulate", "made.ptx", "--device=h100", "--grid=8"},
                             {"list", "made.ptx"},
                             {"list", "kernels"},
                             {"simulate", "worked", "--device=tiny"}}) {
    const auto outcome = bench.run(words + Words{"--compiler=nvcc"});
    EXPECT_EQ(outcome.status, 2) << words[1];
    EXPECT_THAT(outcome.err, HasSubstr("--compiler: the option is for source"));
  }
}

TEST(CudaSource, ThatIsMissingOrBinaryIsAnErrorOfTheFile) {
  const CompilerBench bench;
  EXPECT_THAT(bench.run({"simulate", "gone.cu", "--device=h100"}).err, HasSubstr("gone.cu: no such file"));
  bench.place().write("kernel.cubin",
                      "\x7f"
                      "ELF\x02\x01");
  EXPECT_THAT(bench.run({"list", "kernel.cubin"}).err, HasSubstr("this is no ELF file, or it is cut off"));
  Workplace::Settings settings;
  settings.standard_input = kTwiceSource;
  EXPECT_THAT(bench.place().run({"simulate", "-", "--device=h100"}, settings).err,
              HasSubstr("this is source, not PTX or machine code; give a file whose name ends in .cu or .hip"));
}

/// A clang that compiles for a target of AMD, or an empty string.
std::string real_clang_for(const std::string& target) {
  const auto knows = [&](const std::string& clang) {
    const auto question =
        clang + " --target=amdgcn-amd-amdhsa --print-supported-cpus -nogpulib 2>&1 | grep -qw " + target;
    return fs::exists(clang) && std::system(question.c_str()) == 0;
  };
  for (const char* place : {"/usr/bin/clang++", "/usr/bin/clang++-19"})
    if (knows(place)) return place;
  return {};
}

// Only the kernels are compiled; their hosts' calls, classes and headers are gone through.
TEST(HipSource, IsAWholeProgramWithItsHostsSide) {
  const auto clang = real_clang_for("gfx90a");
  if (clang.empty()) GTEST_SKIP() << "there is no clang for gfx90a";
  const Workplace place;
  const auto views = [&](const std::string& program, const std::string& block) {
    const auto file = in_sources("tests/cli/data/hip/") + program + ".hip";
    const auto outcome = place.run({"simulate", file, "--device=mi210", "--block=" + block, "--grid=64", "--assume",
                                    "--view=instructions", "--quiet"});
    EXPECT_EQ(outcome.status, 0) << program << outcome.err;
    return outcome.out;
  };
  EXPECT_THAT(views("scale", "256"), AllOf(HasSubstr("scale.hip:20: global_load_dword"), HasSubstr("global_store")));
  EXPECT_THAT(views("sums", "256"), AllOf(HasSubstr("v_sqrt_f32"), HasSubstr("s_barrier"), HasSubstr("ds_")));
  EXPECT_THAT(views("histogram", "256"),
              AllOf(HasSubstr("global_load_dword"), HasSubstr("ds_add_u32"), HasSubstr("global_atomic_add")));
}

/// A kernel that loads four numbers, 256 bytes apart, and stores the sum of the first two.
std::string four_loads(const std::string& symbols, const std::string& body) {
  return ".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n" + symbols + R"(.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
)" + body +
         R"(  global_store_dword v0, v2, s[4:5]
  s_endpgm
.Lfunc_end0:
.size k, .Lfunc_end0-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 6
  .amdhsa_next_free_sgpr 8
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - .name: data
        .size: 8
        .offset: 0
        .value_kind: global_buffer
        .address_space: global
...
.end_amdgpu_metadata
)";
}

// As in libraries' hand-written kernels; the expanded text is written out beside it.
TEST(AmdAssembly, WithMacrosIsAssembledFirst) {
  const auto macros = four_loads(R"(.set vgprValue, 2
.set kCount, 4
.macro LOAD number
  global_load_dword v[vgprValue+\number], v0, s[4:5] offset:256*\number
.endm
)",
                                 R"(.set i, 0
.rept kCount
  LOAD i
  .set i, i+1
.endr
  s_waitcnt vmcnt(0)
.if kCount > 2
  v_add_f32 v[vgprValue], v[vgprValue], v[vgprValue+1]
.endif
)");
  const auto written_out = four_loads("", R"(  global_load_dword v2, v0, s[4:5]
  global_load_dword v3, v0, s[4:5] offset:256
  global_load_dword v4, v0, s[4:5] offset:512
  global_load_dword v5, v0, s[4:5] offset:768
  s_waitcnt vmcnt(0)
  v_add_f32_e32 v2, v2, v3
)");
  const Workplace place(Files{{"macros.s", macros}, {"plain.s", written_out}});
  const auto simulate = [&](const char* file, const Workplace::Settings& settings) {
    return place.run({"simulate", file, "--device=mi210", "--block=256", "--grid=64", "--quiet"}, settings);
  };
  Workplace::Settings without_clang;
  without_clang.environment = {{"PATH", "/nowhere"}};
  EXPECT_THAT(simulate("macros.s", without_clang).err,
              AllOf(HasSubstr("macros.s: line 4: macros, repetitions"), HasSubstr("assemble it by `clang --target")));
  if (real_clang_for("gfx90a").empty()) GTEST_SKIP() << "there is no clang for gfx90a";
  const auto assembled = simulate("macros.s", {});
  ASSERT_EQ(assembled.status, 0) << assembled.err;
  EXPECT_THAT(assembled.out, HasSubstr("limited by"));
  EXPECT_EQ(assembled.out, simulate("plain.s", {}).out);
}

/// The nvcc of the path or of the usual place; empty where there is none.
std::string real_nvcc() {
  for (const char* place : {"/usr/local/cuda/bin/nvcc", "/usr/bin/nvcc"})
    if (fs::exists(place)) return place;
  return {};
}

TEST(CudaSource, ByARealNvccIsTheKernelOfItsPtx) {
  const auto nvcc = real_nvcc();
  if (nvcc.empty()) GTEST_SKIP() << "there is no nvcc";
  const Workplace place(
      Files{{"saxpy.cu", std::string(kTwiceSource) + "template __global__ void twice<float>(float*, int);"}});
  const Words launch{"--device=h100", "--grid=8", "--arg", "n=9", "--view=instructions", "--quiet"};
  const auto compiled =
      place.run(Words{"simulate", "saxpy.cu", "--entry=twice", "--compiler=" + nvcc, "--keep=k.ptx"} + launch);
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  EXPECT_THAT(compiled.out, HasSubstr("saxpy.cu:3: ld.global"));
  EXPECT_EQ(place.run(Words{"simulate", "k.ptx"} + launch).out, compiled.out);
}

}  // namespace
}  // namespace warpipe::test
