// Instructions in readable form, of a kernel that fits on a page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "cubin_files.hpp"
#include "decode.hpp"
#include "lane_maker.hpp"
#include "matrix.hpp"
#include "rows.hpp"
#include "warpipe/sass/entries.hpp"
#include "warpipe/sass/least_distances.hpp"
#include "warpipe/sass/listing.hpp"

namespace warpipe::test {
namespace {

std::vector<std::string> texts(const std::vector<isa::ListingLine>& lines) {
  std::vector<std::string> all;
  for (const auto& line : lines) all.push_back(line.control + " " + line.text);
  return all;
}

// saxpy.cu: i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i].
TEST(Listing, ShowsWhatEachInstructionIsAndWaitsFor) {
  const auto lines = sass::listing(cubin("sm_80", "saxpy"), "saxpy");
  EXPECT_THAT(
      texts(lines),
      testing::ElementsAre(
          "[------:R-:W-:-:S02] MOV R1, c[0x0][0x28]", "[------:R-:W0:-:S04] S2R.SR_CTAID.X R4",
          "[------:R-:W0:-:S02] S2R.SR_TID.X R3", "[0-----:R-:W-:Y:S05] IMAD R4, R4, c[0x0][0x0], R3",
          "[------:R-:W-:Y:S13] ISETP.GE.AND P0, R4, c[0x0][0x160]", "[------:R-:W-:-:S05] @P0 EXIT",
          "[------:R-:W-:-:S01] HFMA2.MMA R5, RZ, RZ, 0x4", "[------:R-:W-:Y:S09] ULDC.64 UR4, c[0x0][0x118]",
          "[------:R-:W-:Y:S04] IMAD.WIDE R2, R4, R5, c[0x0][0x168]",
          "[------:R-:W-:-:S02] IMAD.WIDE R4, R4, R5, c[0x0][0x170]", "[------:R-:W2:-:S04] LDG.E R2, [R2.64+UR4]",
          "[------:R-:W2:-:S02] LDG.E R7, [R4.64+UR4]", "[--2---:R-:W-:Y:S05] FFMA R7, R2, c[0x0][0x164], R7",
          "[------:R-:W-:-:S01] STG.E [R4.64+UR4], R7", "[------:R-:W-:-:S05] EXIT"));
  EXPECT_EQ(lines[12].source, "saxpy.cu:9");
  EXPECT_EQ(lines[12].ops, std::vector<std::string>{"ffma.constant"});
}

TEST(Listing, HasNoOpcodeThatIsNotKnown) {
  for (const auto& architecture : architectures())
    for (const auto& name : cubin_names(architecture))
      for (const auto& kernel : cubin(architecture, name).kernels)
        for (const auto& line : sass::listing(cubin(architecture, name), kernel.symbol))
          EXPECT_EQ(line.problem, "") << architecture << " " << kernel.symbol << " " << line.address;
}

TEST(Entries, HaveParametersByOffsetAndRegisters) {
  const auto entries = sass::entries(cubin("sm_90", "saxpy"));
  const auto saxpy = std::ranges::find(entries, "saxpy", &isa::Entry::symbol);
  ASSERT_NE(saxpy, entries.end());
  ASSERT_EQ(saxpy->parameters.size(), 4U);  // int n, float a, const float* x, float* y
  const std::int64_t offsets[] = {0, 4, 8, 16}, bytes[] = {4, 4, 8, 8};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(saxpy->parameters[i].offset, offsets[i]);
    EXPECT_EQ(saxpy->parameters[i].bytes, bytes[i]);
  }
  EXPECT_GT(saxpy->registers.value_or(0), 7);
  EXPECT_EQ(saxpy->block_axes, 1);
  EXPECT_EQ(saxpy->grid_axes, 1);
  EXPECT_NE(saxpy->source.find("saxpy.cu"), std::string::npos);
}

// The stall counts of saxpy, above: 5 from IMAD to ISETP, 13 from ISETP to the guard of EXIT, 4 + 2 from IMAD.WIDE to
// the first load.
TEST(LeastDistances, AreSumsOfStallCounts) {
  const auto distances = sass::least_distances(cubin("sm_80", "saxpy"), cubin("sm_80", "saxpy").find("saxpy"));
  const auto cycles = [&](const std::string& op, const std::string& next) -> std::int64_t {
    for (const auto& one : distances)
      if (one.op == op && one.next_op == next) return one.cycles;
    return 0;
  };
  EXPECT_EQ(cycles("imad", "compare"), 5);
  EXPECT_EQ(cycles("compare", "branch"), 13);
  EXPECT_EQ(cycles("ffma.constant", "global.store"), 5);
  EXPECT_EQ(cycles("global.load", "ffma.constant"), 0);  // waits for a scoreboard
}

// ULDC UR5 is read by UISETP two cycles later: the uniform datapath is no row of a table.
TEST(LeastDistances, LeaveOutTheUniformDatapath) {
  const auto& module = cubin("sm_80", "reduction");
  for (const auto& kernel : module.kernels)
    for (const auto& one : sass::least_distances(module, kernel))
      EXPECT_FALSE(one.op.starts_with("constant.load")) << kernel.symbol;
}

// The bits of mma and wgmma of PTX, compiled for sm_80 and sm_90a.
TEST(Decoder, ReadsShapesOfMatrixProducts) {
  struct Product {
    std::uint64_t low, high;
    std::string op;
    int m, n, k, sums, bits = 16;  // of an element
    int architecture = 80;
  };
  const Product products[] = {
      {0x23c, 0x1800, "mma.f16.f32", 16, 8, 16, 4},  {0x23c, 0x1000, "mma.f16.f32", 16, 8, 8, 4},
      {0x23c, 0x0800, "mma.f16", 16, 8, 16, 2},      {0x23c, 0x41800, "mma.f16.f32", 16, 8, 16, 4},
      {0x23c, 0x81000, "mma.tf32", 16, 8, 8, 4, 32}, {0x23c, 0x85000, "mma.tf32", 16, 8, 4, 4, 32},
      {0x237, 0x405c00, "mma.s8", 16, 8, 32, 4, 8},  {0x237, 0x405400, "mma.s8", 16, 8, 16, 4, 8},
      {0x237, 0x5400, "mma.s8", 8, 8, 16, 2, 8},     {0x237, 0x785400, "mma.s4", 16, 8, 64, 4, 4},
      {0x237, 0x585c00, "mma.s4", 16, 8, 32, 4, 4},  {0x237, 0x385400, "mma.s4", 8, 8, 32, 2, 4},
      {0x23d, 0x15400, "mma.b1", 16, 8, 256, 4, 1},  {0x23f, 0, "mma.f64", 8, 8, 4, 4, 64},
      {0x27a, 0, "mma.f8.f32", 16, 8, 32, 4, 8, 120}};
  for (const auto& of : products) {
    const auto product = sass::matrix_product(sass::decode({of.low, of.high}, 0, of.architecture));
    ASSERT_TRUE(product) << of.op;
    EXPECT_EQ(product->op, of.op);
    EXPECT_EQ(product->m, of.m) << of.op;
    EXPECT_EQ(product->n, of.n) << of.op;
    EXPECT_EQ(product->k, of.k) << of.op;
    EXPECT_EQ(product->sums, of.sums) << of.op;
    // The elements lie in registers of 32 bits of 32 lanes, each once.
    EXPECT_EQ(product->left, of.m * of.k * of.bits / (32 * 32)) << of.op;
    EXPECT_EQ(product->right, of.n * of.k * of.bits / (32 * 32)) << of.op;
    EXPECT_FALSE(product->guessed) << of.op;
  }
  const auto of_group = sass::matrix_product(sass::decode({0x01e00000081879f0, 0x08000818}, 0, 90));
  ASSERT_TRUE(of_group);
  EXPECT_EQ(of_group->op, "wgmma.f16.f32");
  EXPECT_EQ(of_group->n, 128);
  EXPECT_EQ(of_group->pieces(), 64 * 128 * 16 / 4 / 256);
}

// Our own kernels, compiled for sm_80 and sm_90a by ptxas 13.0: where the fields of each are.
TEST(Decoder, ReadsWhereOperandsStand) {
  struct Case {
    std::uint64_t high, low;
    int architecture;
    std::string text;
  };
  const Case cases[] = {
      {0x023058000000000a, 0x00000000040a7229, 80, "DADD R10, R4, R10"},
      {0x000fe200078ec0ff, 0x0000000504067212, 80, "LOP3.LUT(0xc0) R6, R4, R5, RZ, !PT"},
      {0x0000000000000140, 0x00001000042c783b, 80, "LDSM.16.M88.2 R44, [R4+0x10]"},
      {0x0000000000004240, 0x00000000042c783b, 80, "LDSM.16.MT88.4 R44, [R4]"},
      {0x000fe80008100c0b, 0x000000ffff007987, 80, "STL.128 [UR11], RZ"},
      {0x000e620000040000, 0x00000000063f73c2, 80, "R2UR URZ, P2, R6"},
      {0x000fe80003800000, 0x0000004100007348, 80, "WARPSYNC R65"},
      {0x0003d80008008000, 0x00000008040075b4, 90, "UTMALDG UR4, UR8"},
      {0x0005e20008008000, 0x00000004080073b5, 90, "UTMASTG UR8, UR4"},
      {0x0005d80008000208, 0x00000006040073ba, 90, "UBLKCP UR4, UR6, UR8"},
      {0x000e64000800014a, 0x00000000030075a7, 90, "SYNCS.PHASECHK P0, [R3+UR10], R0"},
      {0x0001e2000810043f, 0x000000ff10ff89a7, 90, "@!P0 SYNCS.ARRIVE [R16], RZ"},
      {0x0002a20008000100, 0x00000804063f95b2, 90, "@!UP1 SYNCS.EXCH [UR6+0x8], UR4"},
      {0x000e240008000600, 0x000000e8000079c8, 90, "USETMAXREG UP0"},
      {0x000fe400003ff715, 0x47652b82fe0e7402, 120, "MOV.64 R14, 0x3ff71547652b82fe"}};  // log2(e) as a double
  for (const auto& one : cases) {
    const auto decoded = sass::decode({one.low, one.high}, 0, one.architecture);
    EXPECT_EQ(sass::text_of(decoded, one.architecture), one.text);
  }
}

sass::Module module_of(const std::vector<sass::Word>& code) {
  sass::Module module;
  module.architecture = 86;
  module.kernels.emplace_back().symbol = "k";
  for (const auto& word : code)
    for (const auto half : {word.low, word.high})
      for (int byte = 0; byte < 8; ++byte) module.kernels.back().code += static_cast<char>(half >> (8 * byte));
  return module;
}

// Of a matrix product of our own, compiled for sm_86 by ptxas 13.0.
TEST(Decoder, TellsRegistersThatAreKept) {
  const auto lines = sass::listing(
      module_of({{0x00000025280d7223, 0x082fe2000000000d}, {0x000000252b007223, 0x000fe20000000000}}), "k");
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[0].text, "FFMA R13, R40, R37.reuse, R13");
  EXPECT_EQ(lines[1].text, "FFMA R0, R43, R37, R0");
}

/// FFMA sum, a, b, sum; `kept`: bits of a, b and the sum.
sass::Word ffma(std::uint64_t sum, std::uint64_t a, std::uint64_t b, std::uint64_t kept = 0) {
  return {0x7223 | sum << 16 | a << 24 | b << 32, 0x000fe20000000000 | sum | kept << 58};
}

std::vector<int> reads_of(const std::vector<sass::Word>& code) {
  std::vector<int> reads;
  for (const auto& line : sass::listing(module_of(code), "k")) reads.push_back(line.register_reads);
  return reads;
}

// Times of similar blocks on an H200, in cycles of an instruction: bench/validation/single_effects/registers.cu.
TEST(RegisterReads, AreThoseOfTheBusierBank) {
  using testing::Each;
  EXPECT_THAT(reads_of({ffma(4, 20, 24), ffma(6, 22, 26), ffma(8, 20, 24)}), Each(3)) << "three even ones: 3.01";
  EXPECT_THAT(reads_of({ffma(4, 21, 24), ffma(6, 23, 26), ffma(8, 21, 24)}), Each(2)) << "two even, one odd: 2.01";
  EXPECT_THAT(reads_of({ffma(4, 21, 25), ffma(6, 23, 27), ffma(8, 21, 25)}), Each(2)) << "one even, two odd: 2.00";
  EXPECT_THAT(reads_of({ffma(4, 20, 20), ffma(6, 22, 22)}), Each(2)) << "a is b: 2.01";
}

TEST(RegisterReads, LeaveOutWhatTheInstructionBeforeKeeps) {
  using testing::Each;
  EXPECT_THAT(reads_of({ffma(4, 20, 24, 3), ffma(6, 20, 24, 3)}), Each(1)) << "a and b are kept: 1.02";
  EXPECT_THAT(reads_of({ffma(4, 20, 24, 1), ffma(6, 20, 26, 1)}), Each(2)) << "a is kept: 2.02";
  EXPECT_THAT(reads_of({ffma(4, 20, 24, 1), ffma(6, 22, 26, 1)}), Each(3)) << "another register there";
  EXPECT_THAT(reads_of({ffma(4, 20, 24, 1), ffma(6, 24, 20, 1)}), Each(3)) << "the same as another operand";
}

// Even and odd sums in turn: two even reads and one odd, then one and two. Both banks are busy for three cycles of two.
TEST(RegisterReads, OfTwoInstructionsShareTheBanks) {
  const auto reads = reads_of({ffma(4, 20, 25), ffma(5, 22, 25), ffma(6, 20, 27), ffma(7, 22, 27)});
  EXPECT_EQ(std::accumulate(reads.begin(), reads.end(), 0), 6) << "1.51 each";
}

// ptxas's loop of multiply_adds<0>, without the numbers it keeps: neighbours share, but not the next instructions.
TEST(RegisterReads, OfMoreInstructionsDoNot) {
  std::vector<sass::Word> code;
  for (const auto& [sum, a, b] : std::vector<std::array<std::uint64_t, 3>>{{23, 4, 16},
                                                                           {7, 16, 15},
                                                                           {8, 16, 19},
                                                                           {9, 16, 18},
                                                                           {11, 4, 17},
                                                                           {10, 15, 17},
                                                                           {12, 17, 19},
                                                                           {13, 17, 18},
                                                                           {3, 4, 21},
                                                                           {14, 15, 21},
                                                                           {26, 19, 21},
                                                                           {6, 21, 18},
                                                                           {25, 4, 20},
                                                                           {24, 15, 20},
                                                                           {22, 19, 20},
                                                                           {27, 18, 20}})
    code.push_back(ffma(sum, a, b));
  const auto reads = reads_of(code);
  EXPECT_EQ(std::accumulate(reads.begin(), reads.end(), 0), 27) << "16 took 27.2 cycles, 1.70 each";
}

// red.global.add.f32 of PTX, compiled for sm_80 and sm_90, where floats have an opcode of their own.
TEST(Decoder, KnowsAnOpcodeFromTheArchitectureOnThatHasIt) {
  const sass::Word of_80{0x50200798e, 0xfe8000c10e784}, of_90{0x5020079a6, 0x1fe2000c10f384};
  const auto name = [](const sass::Word& word, int architecture) {
    const auto decoded = sass::decode(word, 0, architecture);
    return std::string(decoded.row == nullptr ? "" : decoded.row->name);
  };
  EXPECT_EQ(name(of_80, 80), "RED");
  EXPECT_EQ(name(of_90, 80), "");
  EXPECT_EQ(name(of_90, 90), "REDG");
  EXPECT_EQ(name(of_90, 100), "REDG");
}

TEST(Decoder, NamesAnOpcodeThatIsNotKnownByItsBits) {
  const auto decoded = sass::decode({0x7fff, 0}, 0x40, 80);
  EXPECT_EQ(decoded.row, nullptr);
  EXPECT_EQ(decoded.name, "0xfff");
}

// cp.async of 16 bytes as ptxas 13.0 writes it: from the global address + 0, -16, -2048 and 2032 to shared memory.
TEST(Decoder, HasADisplacementInEachMemoryOfACopy) {
  const auto offset = [](std::uint64_t low) { return sass::decode({low, 0x0003e2000b901c44}, 0, 86).place.offset; };
  EXPECT_EQ(offset(0x0100000004117fae), 0);
  EXPECT_EQ(offset(0x13000ff002117fae), -16);
  EXPECT_EQ(offset(0x0600080002117fae), -2048);
  EXPECT_EQ(offset(0x100007f002117fae), 2032);
}

// atomicAdd, a sum with release and a sum without result of PTX, compiled for sm_100: at + 4, + 44 and - 52 bytes.
TEST(Decoder, HasAFlagBesideTheDisplacementOfAnAtomicOnBlackwell) {
  const auto offset = [](const sass::Word& word) { return sass::decode(word, 0, 100).place.offset; };
  EXPECT_EQ(offset({0x80000403040079a8, 0x002ea600081ef104}), 4);
  EXPECT_EQ(offset({0x80002c09040b798a, 0x000ea800081ef304}), 44);
  EXPECT_EQ(offset({0xffffcc0904ff798a, 0x000fe200081ef304}), -52);
}

// shf of PTX, compiled for sm_80: of a 64-bit shift to the left, and for the sign of a number.
TEST(Decoder, NamesTheTypeOfAShift) {
  const auto text = [](const sass::Word& word) { return sass::text_of(sass::decode(word, 0, 80), 80); };
  EXPECT_EQ(text({0x0000000202037819, 0x000fe20000010203}), "SHF.L.U64.HI R3, R2, 0x2, R3");
  EXPECT_EQ(text({0x0000001fff057819, 0x000fe20000011404}), "SHF.R.S32.HI R5, RZ, 0x1f, R4");
}

// Texture and surface functions of CUDA, compiled for sm_90: tex2D<float>, tex2D<float4>, tex3D<float>,
// tex1Dfetch<float>, tex2Dgather<float4>, surf2Dread<float>, surf2Dread<float4>.
TEST(Decoder, TellsTexelsAndSurfacesApart) {
  const auto read = [](const sass::Word& word) { return sass::texture_read(sass::decode(word, 0, 90)); };
  struct Case {
    sass::Word word;
    int words;
    bool surface, linear, solid;
  };
  const Case cases[] = {{{0x2000040604057f60, 0x002f6200099e01ff}, 1, false, true, false},
                        {{0x200004040a047f60, 0x002f6200099e0f06}, 4, false, true, false},
                        {{0x4000040904057f60, 0x002f6200099e01ff}, 1, false, true, true},
                        {{0x000004ff00057f66, 0x000f6200089e01ff}, 1, false, false, false},
                        {{0x200004ff04047f63, 0x002f6200081e0f06}, 1, false, false, false},
                        {{0x7000040004057f99, 0x002f6200081ea900}, 1, true, false, false},
                        {{0x7000040004047f99, 0x002f6200081ead00}, 4, true, false, false}};
  for (const auto& one : cases) {
    const auto made = read(one.word);
    EXPECT_EQ(made.words, one.words);
    EXPECT_EQ(made.surface, one.surface);
    EXPECT_EQ(made.linear, one.linear);
    EXPECT_EQ(made.solid, one.solid);
  }
}

TEST(Decoder, FillsARegisterForEachWordOfASurface) {
  EXPECT_EQ(sass::decode({0x7000040004047f99, 0x002f6200081ead00}, 0, 90).results.at(0).words, 4);
}

TEST(Decoder, HasThreeOpcodesOfStoresToSurfaces) {
  for (const unsigned opcode : {0x19cU, 0x19dU, 0x19eU}) {
    const auto* const row = sass::find_row(opcode, 1, 80);
    ASSERT_NE(row, nullptr) << opcode;
    EXPECT_STREQ(row->name, "SUST");
  }
}

// Names begin with the type of their numbers: F, D and H are floating-point numbers, and MUFU a function of them.
TEST(Decoder, CountsOperationsOfFloatsAlone) {
  for (const auto& row : sass::rows()) {
    const std::string name = row.name;
    const bool of_floats = std::string("FDH").find(name[0]) != std::string::npos || name == "MUFU";
    EXPECT_TRUE(row.flops == 0 || of_floats) << name;
  }
}

// Lanes' and uniform registers, their predicates, and of each of both 12 + 6 numbers and 8 truths of the reader's own.
TEST(Registers, OfProgramsStandInTheOrderOfTheirFiles) {
  const auto all = sass::registers_of_programs();
  ASSERT_EQ(all.size(), 2U * 255 + 2 * 7 + 2 * (12 + 6 + 8));
  EXPECT_EQ(all[2 * 255 + 2 * 7 + 12 + 6 + 8 - 1].name, "tp7");
  EXPECT_EQ(all[2 * 255 + 2 * 7 + 12 + 6 + 8 - 1].file, isa::File::LanePredicate);
  EXPECT_EQ(all.back().file, isa::File::UniformPredicate);
}

}  // namespace
}  // namespace warpipe::test
