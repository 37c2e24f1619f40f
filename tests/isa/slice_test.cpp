#include "flow/slice.hpp"

#include <gmock/gmock.h>

#include "stages.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The names of the instructions needed by control and addresses, in the order of the text.
std::vector<std::string> needed(const std::string& body) {
  const Stages stages(body);
  const auto slice = isa::find_slice(stages.program, stages.definitions);
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < slice.needed.size(); ++i)
    if (slice.needed[i]) places.push_back(i);
  EXPECT_EQ(slice.size, places.size());
  return stages.names(places);
}

TEST(Slice, HoldsWhatAddressesAreMadeOfAndNotWhatIsLoadedOrStored) {
  EXPECT_THAT(needed("ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;"
                     "ld.global.f32 %f1, [%rd3]; mul.f32 %f2, %f1, %f1; st.global.f32 [%rd3], %f2; ret;"),
              ElementsAre("ld.param.u64", "mov.u32", "mul.wide.u32", "add.s64"));
}

TEST(Slice, HoldsALoadThatABranchDependsOn) {
  EXPECT_THAT(needed("ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra E;"
                     "bar.sync 0; E: ret;"),
              ElementsAre("ld.param.u64", "ld.global.u32", "setp.eq.u32"));
}

TEST(Slice, HoldsTheGuardOfAnAccessAndOfAnExitButNotOfAnAddition) {
  EXPECT_THAT(needed("ld.param.u64 %rd1, [p]; setp.eq.u32 %p1, 1, 2; setp.eq.s32 %p2, 1, 2; setp.eq.b32 %p3, 1, 2;"
                     "@%p1 ld.global.f32 %f1, [%rd1]; @%p2 add.f32 %f1, %f1, %f1; @%p3 exit; ret;"),
              ElementsAre("ld.param.u64", "setp.eq.u32", "setp.eq.b32"));
}

TEST(Slice, HoldsAllWritersOfARegister) {
  EXPECT_THAT(needed("mov.u32 %r1, 4; mov.b32 %r2, 0; L: add.u32 %r1, %r1, 1; add.s32 %r2, %r2, 1;"
                     "setp.lt.u32 %p1, %r1, 9; @%p1 bra L; ret;"),
              ElementsAre("mov.u32", "add.u32", "setp.lt.u32"));
}

TEST(Slice, IsEmptyWhereNothingIsDecided) { EXPECT_THAT(needed("add.f32 %f1, %f2, %f3; ret;"), IsEmpty()); }

TEST(Slice, AccessesAreLoadsStoresAndAtomicsButNotOfParameters) {
  const Stages stages(
      "ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; st.shared.u32 [tile], %r1; atom.global.add.u32 %r2, [%rd1], "
      "1;"
      "red.global.add.u32 [%rd1], 1; ld.u32 %r3, [%rd1]; add.u32 %r3, %r3, 1; ret;");
  std::vector<bool> found;
  for (const auto& instruction : stages.program.instructions) found.push_back(instruction.access.has_value());
  EXPECT_THAT(found, ElementsAre(false, true, true, true, true, true, false, false));
}

}  // namespace
}  // namespace warpipe::test
