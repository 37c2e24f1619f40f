// Accesses to textures and surfaces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_ptx.hpp"
#include "warpipe/isa/texture_read.hpp"

namespace warpipe::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(Textures, AreReadByTheirUnitAndServedByL2) {
  const auto made = import(
      "ld.param.u64 %rd1, [p]; tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];\n"
      "suld.b.2d.b32.trap {%r1}, [%rd1, {%r2, %r3}]; sust.b.2d.b32.trap [%rd1, {%r2, %r3}], {%r1}; st.shared.f32 "
      "[tile], "
      "%f1; ret;");
  EXPECT_EQ(executed(made, "global.load"), 2);
  EXPECT_EQ(executed(made, "global.store"), 1);
  std::size_t served = 0;
  for (const auto& instruction : made.kernel.instructions)
    if (instruction.op.starts_with("global.")) {
      ASSERT_EQ(instruction.levels.size(), 1U);
      EXPECT_EQ(instruction.levels[0].level, "l2");
      EXPECT_EQ(instruction.transactions, Expression(4));
      ++served;
    }
  EXPECT_EQ(served, 3U);
  EXPECT_THAT(made.report.notes,
              Contains(HasSubstr("textures and surfaces, which 3 instructions reach, are taken to lie in L2")));
  EXPECT_THAT(made.kernel.origin, HasSubstr("a guess"));
}

TEST(Textures, MayBeMapped) {
  auto options = one_warp();
  options.lowering.unknown["tex"] = "shared.load";
  options.lowering.without = {"dead-code"};
  const auto made = import("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}]; ret;", options);
  EXPECT_EQ(executed(made, "shared.load"), 1);
}

/// Of the only read of a texture or surface: turns at its unit, sectors of L2.
struct Read {
  double turns = 0, sectors = 0;
  friend bool operator==(const Read&, const Read&) = default;
};

/// The read channels of %f1 to %f4 are stored.
Read read(const std::string& text, int channels, const std::string& number = "f32 [tile], %f") {
  std::string body = "ld.param.u64 %rd1, [p]; " + text;
  for (int i = 1; i <= channels; ++i) body += "st.shared." + number + std::to_string(i) + ";";
  Read found;
  for (const auto& instruction : import(body + "ret;").kernel.instructions) {
    if (instruction.op == "texture.load") found.turns = instruction.transactions->evaluate({});
    if (instruction.op == "global.load") found.sectors = instruction.transactions->evaluate({});
  }
  return found;
}

const std::string kTwo = "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];";
const std::string kThree = "tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6, %f7, %f7}];";
const std::string kNearest = "tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2}];";

// A turn is 4 cycles on an H100, where a linear texel of a float takes 8.2, of four floats 32.2.
TEST(Textures, TakeTurnsByChannelsFilterAndDimensions) {
  EXPECT_EQ(read(kTwo, 1), (Read{2, 4}));
  EXPECT_EQ(read(kTwo, 2), (Read{4, 8}));
  EXPECT_EQ(read(kTwo, 3), (Read{8, 16}));  // no texel has three channels
  EXPECT_EQ(read(kTwo, 4), (Read{8, 16}));
  EXPECT_EQ(read(kThree, 1), (Read{4, 4}));
  EXPECT_EQ(read(kThree, 4), (Read{32, 16}));
}

TEST(Textures, AreNotFilteredAtWholeCoordinates) {
  EXPECT_EQ(read(kNearest, 1), (Read{2, 4}));
  EXPECT_EQ(read(kNearest, 4), (Read{4, 16}));
  EXPECT_EQ(read("tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];", 4), (Read{2, 4}));
}

TEST(Surfaces, TakeATurnForEachWord) {
  EXPECT_EQ(read("suld.b.2d.b32.trap {%r1}, [%rd1, {%r5, %r6}];", 1, "u32 [tile], %r"), (Read{1, 4}));
  EXPECT_EQ(read("suld.b.2d.v2.b32.trap {%r1, %r2}, [%rd1, {%r5, %r6}];", 2, "u32 [tile], %r"), (Read{2, 8}));
  EXPECT_EQ(read("suld.b.2d.v4.b32.trap {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6}];", 4, "u32 [tile], %r"),
            (Read{4, 16}));
}

TEST(Textures, InThreeDimensionsOfTwoWordsAreAGuess) {
  EXPECT_EQ(isa::turns_of({2, false, true, true}), 8);
  EXPECT_EQ(isa::turns_of({2, false, false, true}), 2);
}

}  // namespace
}  // namespace warpipe::test
