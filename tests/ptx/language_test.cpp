// Output of compilers beyond the shipped kernels: calls, tables of jumps, stacks, loops on data, Triton's dialect; and
// logs of ptxas.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "parameter_places.hpp"
#include "small_ptx.hpp"
#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/ptx/registers.hpp"

namespace warpipe::test {
namespace {

using ::testing::HasSubstr;

std::string other(const std::string& name) {
  return read_text_file(in_sources(fmt::format("tests/kernels/ptx/{}", name)));
}

ptx::Import import_entry(const std::string& file, const std::string& entry, ptx::ImportOptions options) {
  options.entry = entry;
  options.launch.block = {128, 1, 1};
  options.launch.grid = {4, 1, 1};
  return ptx::import_ptx(ptx::read_ptx(other(file), file), options);
}

TEST(Language, CallsAreInlined) {
  ptx::ImportOptions options;
  options.launch.arguments["0"] = "512";
  EXPECT_EQ(import_entry("nvcc13/language.ptx", "calls", options).report.calls, 2U);
}

TEST(Language, TablesOfJumpsAreFollowed) {
  for (const char* mode : {"0", "1", "2", "3"}) {
    ptx::ImportOptions options;
    options.launch.arguments["0"] = mode;
    EXPECT_GT(import_entry("nvcc13/language.ptx", "switches", options).kernel.instructions.size(), 0U) << mode;
  }
}

TEST(Language, LoopOnDataRunsWithTheDataThatIsGiven) {
  ptx::ImportOptions options;
  // 3 10 5 16 8 4 2 1: seven steps. All lanes hold a 3; a last pass tests that no lane is left.
  options.launch.arrays["0"].values.assign(512, 3);
  const auto import = import_entry("nvcc13/language.ptx", "collatz", options);
  // 16 warps test v > 1 before the loop and after each of seven steps.
  EXPECT_EQ(executed(import, "branch"), 16 * 8);
}

TEST(Language, ConversionsAreOfTheUnitThatDoesThem) {
  // As ptxas does: whole numbers of fewer or equally many bits are moved, wider signed ones shifted; numbers with a
  // point go through the conversion unit, whichever is wider, but integer units round them to half a register.
  const std::vector<std::pair<const char*, const char*>> rows{
      {"cvt.u32.u64 %r3, %rd2;", "iadd"},
      {"cvt.u64.u32 %rd3, %r2;", "iadd"},
      {"cvt.s64.s32 %rd3, %r2;", "shift"},
      {"cvt.rn.f32.s32 %f3, %r2;", "convert"},
      {"cvt.rzi.s32.f32 %r3, %f2;", "convert"},
      {"cvt.rn.f32.u64 %f3, %rd2;", "convert.64"},
      {"cvt.rzi.u64.f32 %rd3, %f2;", "convert.64"},
      {".reg .f64 d; cvt.f64.f32 d, %f2;", "convert.64"},
      {".reg .f64 d; cvt.rn.f64.u32 d, %r2;", "convert.64"},
      {"cvt.sat.f32.f32 %f3, %f2;", "fadd"},
      {".reg .b16 h; cvt.rn.f16.f32 h, %f2;", "logic"},
      {".reg .b16 h; cvt.rn.bf16.f32 h, %f2;", "logic"},
  };
  for (const auto& [text, op] : rows) {
    auto options = one_warp();
    for (const auto& rule : ptx::kRules) options.lowering.without.insert(std::string(rule.name));
    const auto body = std::string("mov.u32 %r2, %tid.x; mov.u64 %rd2, 1; mov.f32 %f2, 0f3f800000;\n");
    const auto before = executed(import(body + "bar.sync 0; ret;", options), op);
    EXPECT_EQ(executed(import(body + text + "bar.sync 0; ret;", options), op) - before, 1) << text;
  }
}

// As in assembly written by hand, such as CUDA's exponential of halves.
TEST(Language, DirectivesNeedNoBlankBetweenThem) {
  EXPECT_EQ(executed(import("{.reg.b32 a, b; mov.b32 a, %tid.x;.reg.pred q; setp.gt.u32 q, a, 99;\n"
                            "@q bra E; bar.sync 0; }\nE: ret;"),
                     "barrier"),
            1);
}

TEST(Language, VariablesMayHoldAddressesThatNobodyKnowsBeforeLinking) {
  const auto module = ptx::read_ptx(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".global .align 4 .u32 numbers[4] = {1, -2, 0x10};\n"
      ".global .align 8 .u64 places[5] = {generic(numbers), numbers, numbers+8, numbers-4, 7};\n"
      ".global .align 4 .u32 last = 9;\n",
      "k.ptx");
  ASSERT_EQ(module.variables.size(), 3U);
  EXPECT_TRUE(module.variables[0].known);
  EXPECT_EQ(module.variables[0].values, (std::vector<std::uint64_t>{1, static_cast<std::uint64_t>(-2), 0x10}));
  EXPECT_FALSE(module.variables[1].known);
  EXPECT_EQ(module.variables[1].values, (std::vector<std::uint64_t>{0, 0, 0, 0, 7}));
  EXPECT_EQ(module.variables[2].values, (std::vector<std::uint64_t>{9}));
  const auto unclosed = [] {
    ptx::read_ptx(".version 8.0\n.target sm_80\n.address_size 64\n.global .u64 places = generic(numbers", "k.ptx");
  };
  EXPECT_THAT(message_of(unclosed), HasSubstr("k.ptx: line 4: a \")\" stands here"));
}

TEST(Language, TritonsKernelsAreRead) {
  ptx::ImportOptions options;
  options.launch.arguments["3"] = "512";
  options.launch.arguments["4"] = "4096";
  EXPECT_GT(executed(import_entry("triton/by_hand.ptx", "axpy_kernel", options), "global.load.128") +
                executed(import_entry("triton/by_hand.ptx", "axpy_kernel", options), "global.load"),
            0);
}

TEST(PtxasLog, TellsTheRegistersOfAnEntry) {
  EXPECT_EQ(ptx::registers_in_log(other("ptxas_logs/language_sm_80.log"), "log", "collatz"), 10);
}

TEST(PtxasLog, WithoutTheEntryListsThoseThatItHas) {
  const auto log = other("ptxas_logs/language_sm_80.log");
  EXPECT_THAT(message_of([&] { ptx::registers_in_log(log, "log", "saxpy"); }), HasSubstr("found collatz, exits"));
}

TEST(Language, AddressesOfParametersMayBeSums) {
  const auto routine = ptx::inline_calls(
      ptx::read_ptx(entry_with("mov.b64 %rd1, p; add.s64 %rd2, %rd1, 4; ld.param.u32 %r1, [%rd2+2]; ret;"), "k.ptx"),
      "k");
  const auto place = ptx::ParameterPlaces(routine).of(routine.instructions[2].operands.back());
  EXPECT_EQ(place.parameter, 1U);
  EXPECT_EQ(place.offset, 4 + 2);
  EXPECT_TRUE(place.exact);
}

TEST(Language, VariablesInGlobalMemoryHaveTheirOwnValues) {
  const std::string text = entry_with(
      "ld.global.u32 %r1, [five]; mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; st.shared.u32 [tile], %r2; "
      "setp.lt.u32 %p1, %r2, %r1; @%p1 bra L; ret;");
  const auto entry = text.find(".visible");
  const auto module =
      ptx::read_ptx(text.substr(0, entry) + ".global .align 4 .u32 three = 3;\n.global .align 4 .u32 five = 5;\n" +
                        text.substr(entry),
                    "k.ptx");
  EXPECT_EQ(executed(ptx::import_ptx(module, one_warp()), "shared.store"), 5);
}

TEST(Language, OperationsOnFloatsAreCountedForEachThread) {
  const auto operations = [](const std::string& body) {
    const auto made = import("ld.param.u64 %rd1, [p]; ld.global.f32 %f1, [%rd1];" + body + "ret;");
    return made.kernel.work.flops ? made.kernel.work.flops->evaluate({}) / 32 : 0;
  };
  const std::string store = "st.global.f32 [%rd1], %f2;", store_64 = "st.global.f64 [%rd1], %rd2;";
  EXPECT_EQ(operations("add.f32 %f2, %f1, %f1;" + store), 1);
  EXPECT_EQ(operations("mul.f32 %f2, %f1, %f1;" + store), 1);
  EXPECT_EQ(operations("fma.rn.f32 %f2, %f1, %f1, %f1;" + store), 2);
  EXPECT_EQ(operations("ld.global.f64 %rd3, [%rd1]; fma.rn.f64 %rd2, %rd3, %rd3, %rd3;" + store_64), 2);
  EXPECT_EQ(operations("ld.global.u32 %r1, [%rd1]; add.s32 %r2, %r1, %r1; st.global.u32 [%rd1], %r2;"), 0);
}

}  // namespace
}  // namespace warpipe::test
