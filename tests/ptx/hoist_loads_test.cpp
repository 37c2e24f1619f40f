#include "hoist_loads.hpp"

#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;

/// The order of the instructions behind the first two, by opcode and result; where the text ends with a load, the place
/// of the load.
std::vector<std::string> order(const std::string& body, std::int64_t most_waiting = 16) {
  auto routine = ptx::inline_calls(ptx::read_ptx(entry_with(body + "ret;"), "k.ptx"), "k");
  ptx::hoist_loads(routine, most_waiting);
  std::vector<std::string> names;
  for (const auto& instruction : routine.instructions) names.push_back(instruction.name);
  names.pop_back();
  return names;
}

std::size_t moved(const std::string& body, std::int64_t most_waiting = 16) {
  auto routine = ptx::inline_calls(ptx::read_ptx(entry_with(body + "ret;"), "k.ptx"), "k");
  return ptx::hoist_loads(routine, most_waiting);
}

const std::string kWork = "add.f32 %f3, %f1, %f1; mul.f32 %f4, %f3, %f3;";
const std::string kLoad = "ld.global.f32 %f2, [%rd1];";

TEST(HoistLoads, LoadsRiseToTheStartOfTheirBlock) {
  EXPECT_THAT(order(kWork + kLoad), ElementsAre("ld.global.f32", "add.f32", "mul.f32"));
}

TEST(HoistLoads, TakeTheArithmeticOfTheirAddressesAlong) {
  EXPECT_THAT(order(kWork + "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;" + kLoad),
              ElementsAre("mul.wide.u32", "add.s64", "ld.global.f32", "add.f32", "mul.f32"));
}

TEST(HoistLoads, StayBehindWhatTheirAddressIsMadeOf) {
  // The address itself is loaded.
  EXPECT_THAT(order("add.f32 %f5, %f5, %f5; ld.shared.b64 %rd1, [tile];" + kWork + kLoad),
              ElementsAre("add.f32", "ld.shared.b64", "ld.global.f32", "add.f32", "mul.f32"));
}

TEST(HoistLoads, StayBehindTheLastUseOfTheirRegister) {
  EXPECT_THAT(order("add.f32 %f5, %f2, %f2;" + kWork + kLoad),
              ElementsAre("add.f32", "ld.global.f32", "add.f32", "mul.f32"));
  EXPECT_THAT(order("mul.f32 %f2, %f5, %f5;" + kWork + kLoad),
              ElementsAre("mul.f32", "ld.global.f32", "add.f32", "mul.f32"));
}

TEST(HoistLoads, PassNoStoreThatMayReachTheirBytes) {
  EXPECT_EQ(moved("st.global.f32 [%rd2], %f1;" + kLoad), 0U);
  EXPECT_EQ(moved("st.f32 [%rd2], %f1;" + kLoad), 0U);
  EXPECT_EQ(moved("st.shared.f32 [tile], %f1;" + kLoad), 1U);
  EXPECT_EQ(moved("st.global.f32 [%rd2], %f1; ld.global.nc.f32 %f2, [%rd1];"), 1U);
}

TEST(HoistLoads, PassNothingThatOrdersMemory) {
  for (const std::string fence : {"bar.sync 0;", "membar.gl;", "atom.shared.add.u32 %r1, [tile], 1;",
                                  "shfl.sync.down.b32 %r1, %r2, 1, 31, -1;", "@%p1 bra L; L:"})
    EXPECT_EQ(moved(fence + kLoad), 0U) << fence;
  EXPECT_EQ(moved(kWork + "ld.volatile.global.f32 %f2, [%rd1];"), 0U);
  EXPECT_EQ(moved(kWork + "ld.shared.f32 %f2, [tile];"), 0U);
}

TEST(HoistLoads, AreAheadByAtMostSoManyRegisters) {
  std::string body;
  for (int i = 1; i <= 6; ++i) {
    const auto value = "%f" + std::to_string(i);
    body += "add.f32 %f9, %f9, %f9; ld.global.f32 " + value + ", [%rd1+" + std::to_string(4 * i) + "];";
  }
  EXPECT_EQ(moved(body, 16), 6U);
  // Two at the start; the third load at the text's place of the first, behind one addition, and so on.
  EXPECT_THAT(order(body, 2),
              ElementsAre("ld.global.f32", "ld.global.f32", "add.f32", "ld.global.f32", "add.f32", "ld.global.f32",
                          "add.f32", "ld.global.f32", "add.f32", "ld.global.f32", "add.f32", "add.f32"));
}

TEST(HoistLoads, LeaveTheCountsOfAKernelAsTheyAre) {
  const std::string body =
      "ld.param.u64 %rd1, [p]; ld.param.u32 %r2, [n]; mov.u32 %r1, 0; L: add.f32 %f1, %f1, %f1; mul.wide.u32 %rd2, "
      "%r1, 4;"
      "add.s64 %rd3, %rd1, %rd2; ld.global.f32 %f2, [%rd3]; add.f32 %f1, %f1, %f2; add.u32 %r1, %r1, 1;"
      "setp.lt.u32 %p1, %r1, %r2; @%p1 bra L; st.global.f32 [%rd1], %f1; ret;";
  auto without = one_warp();
  without.lowering.without = {"early-loads"};
  EXPECT_EQ(import(body).report.executions, import(body, without).report.executions);
  EXPECT_GT(import(body).report.moved_loads, import(body, without).report.moved_loads);
}

}  // namespace
}  // namespace warpipe::test
