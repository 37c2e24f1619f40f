// Machine code becomes graphs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "assembled.hpp"
#include "cubin_files.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

isa::ImportOptions saxpy_of(std::int64_t n) {
  isa::ImportOptions options;
  options.entry = "saxpy";
  options.launch.block = {256, 1, 1};
  options.launch.grid = {n / 256, 1, 1};
  options.launch.arguments = {{"0", std::to_string(n)}, {"1", "2.5"}};
  return options;
}

// 1024 elements are 32 warps: each loads x and y, multiplies and adds, stores y; a warp's 128 bytes are 4 segments.
TEST(ImportOfMachineCode, CountsWhatSaxpyDoes) {
  for (const auto& architecture : architectures()) {
    const auto made = sass::import_cubin(cubin(architecture, "saxpy"), saxpy_of(1024));
    const auto& issued = made.report.issued;
    EXPECT_EQ(issued.at("global.load"), 64) << architecture;
    EXPECT_EQ(issued.at("global.store"), 32) << architecture;
    EXPECT_EQ(issued.at(issued.contains("ffma") ? "ffma" : "ffma.constant"), 32) << architecture;
    double segments = 0;
    for (const auto& access : made.report.accesses) {
      segments += access.statistics.segments.sum;
      EXPECT_EQ(access.address.kind, isa::AddressReport::Kind::Formula) << architecture;
    }
    EXPECT_EQ(segments, 3 * 32 * 4) << architecture;
    EXPECT_FALSE(made.report.registers_estimated);
    EXPECT_EQ(made.kernel.work.flops.value().evaluate({}), 2 * 1024) << architecture;  // HFMA2 of zeros is a move
    EXPECT_EQ(made.kernel.name, "saxpy");
    EXPECT_NE(made.kernel.origin.find("machine code of " + architecture), std::string::npos);
  }
}

std::vector<std::string> notes_for(const isa::Target& target) {
  auto options = saxpy_of(1024);
  options.target = target;
  return sass::import_cubin(cubin("sm_80", "saxpy"), options).report.notes;
}

// Its stall counts (decode_test.cpp): ISETP reads the result of IMAD 5 cycles later, the store reads the result of FFMA
// 5 later: neither takes longer; no instruction reads a load without a scoreboard.
TEST(ReadCubin, TellsTheCompilerWhereTheFileDoes) {
  EXPECT_EQ(cubin("sm_80", "saxpy").compiler, "ptxas 13.0");
  auto bytes = cubin_bytes("sm_80", "saxpy");
  const auto note = bytes.find("release 13.0");
  ASSERT_NE(note, std::string::npos);
  EXPECT_EQ(sass::read_cubin(bytes.replace(note, 12, "release 12.9"), "older").compiler, "ptxas 12.9");
  EXPECT_EQ(sass::read_cubin(bytes.replace(note, 12, "unknown 12.9"), "untold").compiler, "");
}

TEST(ImportOfMachineCode, NamesATableThatStallCountsContradict) {
  EXPECT_THAT(notes_for({"fast", "sm_80", 32, {{"imad", 5}, {"ffma.constant", 5}, {"global.load", 500}}}),
              testing::IsEmpty());
  EXPECT_THAT(notes_for({"slow", "sm_80", 32, {{"imad", 5}, {"ffma.constant", 5.5}}}),
              testing::ElementsAre("the table of \"slow\" contradicts the stall counts of the code: "
                                   "ffma.constant 5.5 cycles, used after 5 at saxpy.cubin: saxpy+0xd0"));
  EXPECT_THAT(notes_for({"slow", "sm_90", 32, {{"ffma.constant", 9}}}), testing::IsEmpty())
      << "it does not run the code";
}

// The whole of `n` decides: 300 elements leave warps without work, and a warp with 12 lanes.
TEST(ImportOfMachineCode, FollowsGuards) {
  auto options = saxpy_of(512);
  options.launch.arguments["0"] = "300";
  const auto made = sass::import_cubin(cubin("sm_90", "saxpy"), options);
  EXPECT_EQ(made.report.issued.at("ffma"), 10);  // warps
}

TEST(ImportOfMachineCode, HasThePolicyOfTheHardwareThatItIsFor) {
  const auto policy_on = [](const char* name) {
    auto options = saxpy_of(1024);
    options.target = {"device", name, 32, {}};
    return sass::import_cubin(cubin("sm_80", "saxpy"), options).kernel.policy;
  };
  EXPECT_EQ(policy_on(""), Policy::GreedyOldest);
  EXPECT_EQ(policy_on("sm_86"), Policy::GreedyOldest);
  EXPECT_EQ(policy_on("sm_61"), std::nullopt) << "it does not run the code";
}

// The stall counts of decode_test.cpp; a stall of a cycle is none, since the scheduler takes the cycle. ISETP guards
// EXIT.
TEST(ImportOfMachineCode, HasTheStallCountsOfTheCode) {
  using testing::Pair;
  std::vector<std::pair<std::string, std::int64_t>> found;
  for (const auto& one : sass::import_cubin(cubin("sm_80", "saxpy"), saxpy_of(1024)).kernel.instructions)
    found.emplace_back(one.op, one.stall);
  EXPECT_THAT(found, testing::ElementsAre(Pair("iadd", 2), Pair("index", 4), Pair("index", 2), Pair("imad", 5),
                                          Pair("compare.guard", 13), Pair("branch", 5), Pair("hfma", 0),
                                          Pair("constant.load.uniform", 9), Pair("imad.wide", 4), Pair("imad.wide", 2),
                                          Pair("global.load", 4), Pair("global.load", 2), Pair("ffma.constant", 5),
                                          Pair("global.store", 0), Pair("branch", 5)));
}

TEST(ImportOfMachineCode, WaitsForScoreboards) {
  const auto made = sass::import_cubin(cubin("sm_80", "saxpy"), saxpy_of(1024));
  const auto& instructions = made.kernel.instructions;
  const auto product = std::ranges::find(instructions, "ffma.constant", &Instruction::op);
  ASSERT_NE(product, instructions.end());
  std::vector<std::string> awaited;
  for (const auto& after : product->after) awaited.push_back(instructions[after.producer].op);
  EXPECT_THAT(awaited, testing::IsSupersetOf({"global.load", "global.load"}));
}

// A tile of 16 x 16: two stores, 16 loads of a row's elements by words and 4 of 16 bytes, made from 16 by the compiler
// (see the machine code); the loop goes round n / 16 times in each of 8 warps of a group.
TEST(ImportOfMachineCode, CountsTilesOfAMatrixProduct) {
  isa::ImportOptions options;
  options.entry = "mmul16";
  options.launch.block = {16, 16, 1};
  options.launch.grid = {4, 4, 1};
  options.launch.arguments = {{"0", "64"}};
  const auto made = sass::import_cubin(cubin("sm_80", "mmul"), options);
  const double rounds = 4.0 * 8 * 16;
  EXPECT_EQ(made.report.issued.at("ffma"), 16 * rounds);
  EXPECT_EQ(made.report.issued.at("shared.load"), 16 * rounds);
  EXPECT_EQ(made.report.issued.at("shared.load.128"), 4 * rounds);
  EXPECT_EQ(made.report.issued.at("shared.store"), 2 * rounds);
  EXPECT_EQ(made.report.issued.at("barrier"), 2 * rounds);
  ASSERT_EQ(made.report.entered_loops.size(), 1U);
  EXPECT_EQ(made.report.entered_loops[0].iterations.least, 4);
  EXPECT_EQ(made.report.entered_loops[0].iterations.most, 4);
}

sass::Module module_of(const std::vector<Assembled>& instructions) {
  sass::Module module;
  module.file = "assembled.cubin";
  module.architecture = 80;
  sass::Kernel kernel;
  kernel.symbol = "k";
  for (const auto& one : instructions) kernel.code += one.bytes();
  module.kernels.push_back(kernel);
  return module;
}

// BAR of bar.sync and bar.arrive, compiled for sm_80 and sm_90: the number from bit 54 on, the threads from bit 42 on,
// the mode from bit 77 on; bits 9 to 11 say which of them bits 32 to 39 name a register for.
TEST(ImportOfMachineCode, TellsNamedBarriersApart) {
  const auto barrier = [](unsigned number, unsigned threads, unsigned mode) {
    return Assembled(0xb1d).set(54, 4, number).set(42, 12, threads).set(77, 2, mode);
  };
  const auto program = sass::read_program(
      module_of({barrier(0, 0, 0), barrier(4, 0, 0), barrier(1, 64, 0), barrier(1, 64, 1), Assembled(0x94d)}), "k");
  std::vector<std::string> found;
  for (const auto& one : program.instructions) {
    if (one.flow == isa::Instruction::Flow::Barrier) found.emplace_back("all of the group");
    if (one.barrier)
      found.push_back(std::to_string(one.barrier->place.bits) + (one.barrier->arrives ? " arrives" : "") +
                      (one.barrier->awaits ? " awaits" : ""));
  }
  EXPECT_THAT(found, testing::ElementsAre("all of the group", "all of the group", "1 arrives awaits", "1 arrives"));
}

// Two warps meet at the barrier of their number: S2R R0, SR_TID.X; SHF R1 = R0 >> 5; BAR.SYNC R1, 32 and
// BAR.SYNC R1 with number and count packed; BAR.ARV 5, R1.
TEST(ImportOfMachineCode, FindsNumbersOfBarriersInRegisters) {
  const auto tid = Assembled(0x919).dst(0).set(72, 8, 0x21).set(110, 3, 0);
  const auto warp =
      Assembled(0x819).dst(1).a(255).immediate(5).set(64, 8, 0).set(73, 2, 3).set(76, 1, 1).set(80, 1, 1).set(116, 6,
                                                                                                              1);
  const auto by_number = Assembled(0x51d).set(32, 8, 1).set(42, 12, 32);
  const auto packed = Assembled(0x31d).set(32, 8, 1);
  const auto arrival = Assembled(0x91d).set(32, 8, 1).set(54, 4, 5).set(77, 2, 1);
  isa::ImportOptions options;
  options.entry = "k";
  options.launch.block = {64, 1, 1};
  const auto read = sass::import_cubin(module_of({tid, warp, by_number, packed, arrival, Assembled(0x94d)}), options);
  std::vector<std::string> found;
  for (const auto& one : read.kernel.instructions) {
    if (one.arrives) found.push_back(one.op + " at " + read.kernel.signals[*one.arrives].name);
    if (one.awaits) found.push_back(one.op + " for " + read.kernel.signals[*one.awaits].name);
  }
  EXPECT_THAT(found, testing::ElementsAre("arrive at barrier_0_1", "wait for barrier_0_1", "arrive at barrier_0_1",
                                          "wait for barrier_0_1"))
      << "nobody waits at barrier 5";
}

std::string refusal_of(const sass::Module& module, const std::string& unknown = "") {
  isa::ImportOptions options;
  options.entry = "k";
  options.launch.block = {32, 1, 1};
  if (!unknown.empty()) options.lowering.unknown = {{unknown, "skip"}};
  try {
    sass::import_cubin(module, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// CALL.REL R6: R6 has the address, less the next instruction's. CALL.ABS and CALL.REL with a destination filled in by a
// loader. By ptxas for sm_80 and sm_90, of a table of functions and of a function in another file.
TEST(ImportOfMachineCode, RefusesCallsOfWhatIsNotThereByTheirNames) {
  auto module = module_of({Assembled(0x344).a(6).set(32, 32, 0xfffffff0), Assembled(0x94d)});
  EXPECT_THAT(refusal_of(module), testing::HasSubstr("found one through a pointer"));
  EXPECT_THAT(refusal_of(module), testing::HasSubstr("k+0x0"));
  EXPECT_EQ(refusal_of(module, "CALL.REL"), "");
  for (const unsigned opcode : {0x943U, 0x944U}) {
    module = module_of({Assembled(opcode), Assembled(0x94d)});
    module.kernels.front().relocations = {{4, "_Z3farf", 0}};
    EXPECT_THAT(refusal_of(module), testing::HasSubstr("found a call of far(float), which is not linked to it"));
    EXPECT_EQ(refusal_of(module, opcode == 0x943 ? "CALL.ABS._Z3farf" : "CALL.REL._Z3farf"), "");
  }
}

// ldmatrix.x4 with and without .trans, compiled for sm_80: bit 78 transposes. Lane i names the 16 bytes from 16 i on:
// the 32 rows of four matrices are 512 bytes, and 8 rows of a matrix lie in 32 banks of 4 bytes.
TEST(ImportOfMachineCode, ReadsMatricesWhereLanesSay) {
  for (const unsigned form : {0U, 1U}) {
    const auto tid = Assembled(0x919).dst(0).set(72, 8, 0x21).set(110, 3, 0);      // S2R R0, SR_TID.X, W0
    const auto place = Assembled(0x824).dst(2).a(0).immediate(16).set(116, 6, 1);  // IMAD R2 = R0 x 16
    const auto load = Assembled(0x83b).dst(4).a(2).set(72, 2, 2).set(78, 2, form).set(110, 3, 1);  // LDSM
    const auto store = Assembled(0x388).a(2).b(4).set(73, 3, 6).set(116, 6, 2);                    // STS.128
    auto module = module_of({tid, place, load, store, Assembled(0x94d)});
    module.kernels.front().shared_memory = 512;
    isa::ImportOptions options;
    options.entry = "k";
    options.launch.block = {32, 1, 1};
    const auto report = sass::import_cubin(module, options).report;
    const auto found = std::ranges::find(report.accesses, "shared.load.128", &isa::AccessReport::op);
    ASSERT_NE(found, report.accesses.end()) << form;
    EXPECT_EQ(found->statistics.stride, 16) << form;
    EXPECT_EQ(found->statistics.conflict_degree.sum, 1) << form;
    EXPECT_EQ(sass::read_program(module, "k").instructions[2].name, form == 0 ? "LDSM.16.M88.4" : "LDSM.16.MT88.4");
  }
}

TEST(ImportOfMachineCode, ConstantsThatAreIndexedAreTheWordsOfTheirBank) {
  auto module = module_of({Assembled(0xb82).dst(2).a(0).set(54, 5, 4).set(73, 3, 4), Assembled(0x94d)});  // LDC
  module.kernels.front().constants[4] = std::string("\1\0\0\0\2\1\0\0", 8);
  const auto program = sass::read_program(module, "k");
  const auto bank = std::ranges::find(program.regions, "constants_4", &isa::MemoryRegion::name);
  ASSERT_NE(bank, program.regions.end());
  EXPECT_EQ(bank->elements, 2);
  EXPECT_THAT(bank->values, testing::ElementsAre(1, 0x102));
}

// Two writers of R4, each with a scoreboard of its own: with opposite guards no lane is active in both.
TEST(ImportOfMachineCode, LetsOppositeGuardsWriteOneRegister) {
  const auto writes = [](unsigned board, bool opposite) {  // @P1 MUFU R4, R2
    return Assembled(0x308).dst(4).b(2).set(12, 3, 1).set(15, 1, opposite ? 1 : 0).set(110, 3, board);
  };
  const auto reads = Assembled(0x221).dst(6).a(4).b(4).set(116, 6, 3);  // FADD, a wait for both
  isa::ImportOptions options;
  options.entry = "k";
  const auto import = [&](bool opposite) {
    return sass::import_cubin(module_of({writes(0, false), writes(1, opposite), reads, Assembled(0x94d)}), options);
  };
  EXPECT_EQ(import(true).report.issued.at("fadd"), 1);
  EXPECT_THROW(import(false), InputError);
}

// MOV R2, 8; LDC.64 R2, c[0x4][R2]; CALL.ABS R2: the address of a function, put into the constants by a linker.
TEST(ImportOfMachineCode, NamesFunctionsThatAreNotInTheFile) {
  const auto calls = [](const std::string& function) {
    auto module =
        module_of({Assembled(0x802).dst(2).immediate(8), Assembled(0xb82).dst(2).a(2).set(54, 5, 4).set(73, 3, 5),
                   Assembled(0x343).a(2), Assembled(0x221).dst(6).a(4).b(4), Assembled(0x94d)});
    module.kernels.front().constants[4] = std::string(16, '\0');
    module.kernels.front().constant_relocations[4] = {{8, function, 0}};
    isa::ImportOptions options;
    options.entry = "k";
    return sass::import_cubin(module, options).report;
  };
  EXPECT_THAT(calls("vprintf").notes, testing::Contains(testing::HasSubstr("vprintf")));
  EXPECT_EQ(calls("vprintf").issued.at("fadd"), 1);
  EXPECT_FALSE(calls("__assertfail").issued.contains("fadd")) << "it does not return";
  try {
    calls("malloc");
    FAIL();
  } catch (const isa::UnknownData& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("CALL.ABS.malloc:skip"));
  }
}

// MOV R2, c[0x4][0x8]; MOV R3, c[0x4][0xc]; LDG R4, [R2]: the address of a variable, plus 16, put into the constants by
// a linker.
TEST(ImportOfMachineCode, KnowsVariablesByTheirRelocations) {
  const auto word = [](unsigned to, unsigned offset) {
    return Assembled(0xa02).dst(to).set(38, 16, offset).set(54, 5, 4).set(72, 4, 15);
  };
  auto module = module_of(
      {word(2, 8), word(3, 12), Assembled(0x981).dst(4).a(2).b(63).set(72, 1, 1).set(73, 3, 4), Assembled(0x94d)});
  module.variables.push_back({"table", isa::Space::Global, 0, 256});
  module.kernels.front().constants[4] = std::string(16, '\0');
  module.kernels.front().constant_relocations[4] = {{0, "other", 0}, {8, "table", 16}};
  isa::ImportOptions options;
  options.entry = "k";
  const auto report = sass::import_cubin(module, options).report;
  ASSERT_EQ(report.accesses.size(), 1U);
  EXPECT_THAT(report.accesses.front().address.texts, testing::ElementsAre("table: 16"));
}

// The same, weak (0), of constants (4), STRONG.SM (5), .GPU (7), .SYS (10).
TEST(ImportOfMachineCode, LoadsWhatIsOrderedForTheDevicePastTheUnit) {
  const auto goes_past = [](unsigned order, int architecture = 80) {
    const auto word = [](unsigned to, unsigned offset) {
      return Assembled(0xa02).dst(to).set(38, 16, offset).set(54, 5, 4).set(72, 4, 15);
    };
    auto module =
        module_of({word(2, 8), word(3, 12),
                   Assembled(0x981).dst(4).a(2).b(63).set(72, 1, 1).set(73, 3, 4).set(77, 4, order), Assembled(0x94d)});
    module.architecture = architecture;
    module.variables.push_back({"table", isa::Space::Global, 0, 256});
    module.kernels.front().constants[4] = std::string(16, '\0');
    module.kernels.front().constant_relocations[4] = {{8, "table", 16}};
    isa::ImportOptions options;
    options.entry = "k";
    const auto made = sass::import_cubin(module, options).kernel;
    const auto load = std::ranges::find(made.instructions, "global.load", &Instruction::op);
    return load->access.value().past_unit;
  };
  for (const unsigned order : {0U, 4U, 5U}) EXPECT_FALSE(goes_past(order)) << order;
  for (const unsigned order : {7U, 10U}) EXPECT_TRUE(goes_past(order)) << order;
  EXPECT_FALSE(goes_past(7, 75)) << "any load is LDG.SYS there";
}

TEST(ImportOfMachineCode, AsksForWhatDependsOnData) {
  isa::ImportOptions options;
  options.entry = "histogram";
  options.launch.block = {256, 1, 1};
  options.launch.arguments = {{"0", "1000"}};
  EXPECT_THROW(sass::import_cubin(cubin("sm_80", "histogram"), options), isa::UnknownData);
  options.launch.assume = true;
  EXPECT_FALSE(sass::import_cubin(cubin("sm_80", "histogram"), options).report.assumptions.empty());
}

}  // namespace
}  // namespace warpipe::test
