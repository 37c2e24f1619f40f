#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

/// A compare and swap: whichever side a lane goes, it stores to the same place.
std::string swap_with(const std::string& first, const std::string& second, const std::string& behind = "") {
  return "mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 8; ld.param.u64 %rd2, [p]; add.s64 %rd3, %rd2, %rd1;\n"
         "ld.global.v2.u32 {%r2, %r3}, [%rd3]; setp.gt.u32 %p1, %r2, %r3;\n"
         "@%p1 bra A;\n" +
         first + " bra.uni E;\nA: " + second + "\nE: " + behind + " ret;";
}

TEST(MergeStores, StoresOfBothSidesToOneAddressAreOneOfWhatIsSelected) {
  // The side taken by each lane is unknown, and not needed.
  const auto made = import(swap_with("st.global.v2.u32 [%rd3], {%r2, %r3};", "st.global.v2.u32 [%rd3], {%r3, %r2};"));
  EXPECT_EQ(executed(made, "global.store"), 1);
  EXPECT_EQ(executed(made, "select"), 2);
  EXPECT_EQ(executed(made, "branch"), 0);
  EXPECT_EQ(made.report.removed.at("stores"), 1);
}

TEST(MergeStores, SidesOfTheTextsFormOfTwoJumpsAreOne) {
  const auto made = import(
      "mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; ld.param.u64 %rd2, [p]; add.s64 %rd3, %rd2, %rd1;\n"
      "ld.global.u32 %r2, [%rd3]; setp.gt.u32 %p1, %r2, 5; @!%p1 bra A; bra.uni B;\n"
      "A: st.global.u32 [%rd3+4], %r1; bra.uni E;\nB: st.global.u32 [%rd3+4], %r2;\nE: bar.sync 0; ret;");
  EXPECT_EQ(executed(made, "global.store"), 1);
  EXPECT_EQ(executed(made, "select"), 1);
  EXPECT_EQ(executed(made, "barrier"), 1);
}

TEST(MergeStores, OtherSidesStayBranches) {
  const std::string store = "st.global.u32 [%rd3], %r2;";
  for (const auto& [first, second] : {std::pair(store, std::string("st.global.u32 [%rd3+4], %r3;")),  // another place
                                      std::pair(store, std::string("st.global.u16 [%rd3], %r3;")),    // another width
                                      std::pair(store, store + " " + store),                          // a store more
                                      std::pair(store, std::string("st.volatile.global.u32 [%rd3], %r3;"))}) {
    const auto body = swap_with(first, second);
    EXPECT_THAT(message_of([&] { import(body); }), testing::HasSubstr("a branch depends on data")) << second;
  }
  // Further branches come to a side from elsewhere.
  EXPECT_THAT(message_of([&] {
                import("ld.param.u32 %r9, [n]; setp.eq.u32 %p2, %r9, 3; ld.param.u64 %rd3, [p]; @%p2 bra A;\n" +
                       swap_with(store, "st.global.u32 [%rd3], %r3;"));
              }),
              testing::HasSubstr("a branch depends on data"));
}

TEST(MergeStores, TheRuleMayBeSwitchedOff) {
  auto options = one_warp();
  options.lowering.without = {"stores"};
  options.launch.taken["A"] = 0.5;
  const auto made = import(swap_with("st.global.u32 [%rd3], %r2;", "st.global.u32 [%rd3], %r3;"), options);
  EXPECT_EQ(executed(made, "global.store"), 2);
}

}  // namespace
}  // namespace warpipe::test
