// Instructions as people read them, of a kernel that fits on a page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cubin_files.hpp"
#include "decode.hpp"
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
  EXPECT_EQ(lines[12].ops, std::vector<std::string>{"ffma"});
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
  const auto distances = sass::least_distances(cubin("sm_80", "saxpy"), "saxpy");
  const auto cycles = [&](const std::string& op, const std::string& next) -> std::int64_t {
    for (const auto& one : distances)
      if (one.op == op && one.next_op == next) return one.cycles;
    return 0;
  };
  EXPECT_EQ(cycles("imad", "compare"), 5);
  EXPECT_EQ(cycles("compare", "branch"), 13);
  EXPECT_EQ(cycles("ffma", "global.store"), 5);
  EXPECT_EQ(cycles("global.load", "ffma"), 0);  // waits for a scoreboard
}

TEST(Decoder, NamesAnOpcodeThatIsNotKnownByItsBits) {
  const auto decoded = sass::decode({0x7fff, 0}, 0x40, 80);
  EXPECT_EQ(decoded.row, nullptr);
  EXPECT_EQ(decoded.name, "0xfff");
}

}  // namespace
}  // namespace warpipe::test
