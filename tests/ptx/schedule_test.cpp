#include "schedule.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "stages.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;

/// The order of the first block, by places in the text.
std::vector<std::uint32_t> order(const std::string& body, std::size_t most_waiting = 8) {
  const Stages stages(body + "ret;");
  return ptx::schedule_loads(stages.routine, stages.flow, most_waiting).blocks.front();
}

const std::string kUse = "add.f32 %f3, %f1, %f1;";

TEST(Schedule, LetsALoadRiseAboveTheUseOfAnother) {
  const Stages stages("ld.global.f32 %f1, [%rd1];" + kUse + "ld.global.f32 %f2, [%rd1+4]; add.f32 %f4, %f2, %f2; ret;");
  const auto schedule = ptx::schedule_loads(stages.routine, stages.flow, 8);
  EXPECT_THAT(schedule.blocks.front(), ElementsAre(0, 2, 1, 3, 4));
  EXPECT_EQ(schedule.moved, 1U);
}

TEST(Schedule, IsTheTextWhereNoneMayWait) {
  EXPECT_THAT(order("ld.global.f32 %f1, [%rd1];" + kUse + "ld.global.f32 %f2, [%rd1+4];", 0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(order("add.f32 %f3, %f4, %f4; ld.global.f32 %f1, [%rd1];", 0), ElementsAre(0, 1, 2));
}

TEST(Schedule, LetsALoadRiseNoFurtherThanItsAddress) {
  EXPECT_THAT(order("ld.global.f32 %f1, [%rd1];" + kUse + "add.s64 %rd2, %rd1, %rd3; ld.global.f32 %f2, [%rd2];"),
              ElementsAre(0, 1, 2, 3, 4));
  // Behind the addition of its address, above the other addition.
  EXPECT_THAT(order("add.s64 %rd2, %rd1, %rd3; add.f32 %f3, %f4, %f4; ld.global.f32 %f2, [%rd2];"),
              ElementsAre(0, 2, 1, 3));
}

TEST(Schedule, LetsALoadWaitForReadersAndWritersOfItsResult) {
  EXPECT_THAT(order("add.f32 %f3, %f2, %f2; ld.global.f32 %f2, [%rd1];"), ElementsAre(0, 1, 2));
  EXPECT_THAT(order("add.f32 %f2, %f3, %f3; ld.global.f32 %f2, [%rd1];"), ElementsAre(0, 1, 2));
}

TEST(Schedule, LetsALoadPassAStoreToAnotherSpaceAlone) {
  const auto behind = [](const std::string& store) { return order(store + "ld.global.f32 %f2, [%rd1];").front() == 1; };
  EXPECT_TRUE(behind("st.shared.f32 [tile], %f1;"));
  EXPECT_FALSE(behind("st.global.f32 [%rd2], %f1;"));
  EXPECT_FALSE(behind("st.f32 [%rd2], %f1;"));
}

TEST(Schedule, LetsNoLoadPassWhatOrdersMemory) {
  for (const char* fence : {"bar.sync 0;", "membar.gl;", "fence.acq_rel.gpu;", "atom.global.add.u32 %r1, [%rd2], 1;",
                            "ld.volatile.global.u32 %r1, [%rd2];", "shfl.sync.down.b32 %r1, %r2, 1, 31, -1;"})
    EXPECT_THAT(order(std::string(fence) + "ld.global.f32 %f2, [%rd1];"), ElementsAre(0, 1, 2)) << fence;
}

TEST(Schedule, FillsAtMostSoManyRegistersAheadOfAUse) {
  std::string body;
  for (int i = 1; i <= 4; ++i)
    body += fmt::format("ld.global.f32 %f{0}, [%rd1+{1}]; add.f32 %f{2}, %f{0}, %f{0};", i, 4 * i, i + 9);
  // Loads are 0 2 4 6, their uses 1 3 5 7: two wait, and each use makes room for a load.
  EXPECT_THAT(order(body, 2), ElementsAre(0, 2, 1, 4, 3, 6, 5, 7, 8));
  EXPECT_THAT(order(body, 4), ElementsAre(0, 2, 4, 6, 1, 3, 5, 7, 8));
}

TEST(Schedule, LetsNoLoadComeLaterThanInTheText) {
  // Three registers are filled before the first use where two may be: the text has it so.
  EXPECT_THAT(order("ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4]; ld.global.f32 %f4, [%rd1+8];" + kUse +
                        "add.f32 %f5, %f2, %f4;",
                    2),
              ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Schedule, CountsTheRegistersOfAVector) {
  // Four and four are eight; of seven only one load fits, and a first load always does.
  const std::string body = "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];" + std::string("add.f32 %f9, %f1, %f2;") +
                           "ld.global.v4.f32 {%f5, %f6, %f7, %f8}, [%rd1+16]; add.f32 %f10, %f5, %f6;";
  EXPECT_THAT(order(body, 8), ElementsAre(0, 2, 1, 3, 4));
  EXPECT_THAT(order(body, 7), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(order(body, 1), ElementsAre(0, 1, 2, 3, 4));
}

TEST(Schedule, HoldsEachInstructionOfEachBlockOnce) {
  const Stages stages(
      "mov.u32 %r1, 0; L: ld.global.f32 %f1, [%rd1];" + kUse +
      "ld.global.f32 %f2, [%rd1+4]; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra L; bar.sync 0; ret;");
  const auto schedule = ptx::schedule_loads(stages.routine, stages.flow, 8);
  ASSERT_EQ(schedule.blocks.size(), stages.flow.blocks.size());
  for (std::size_t i = 0; i < schedule.blocks.size(); ++i) {
    auto places = schedule.blocks[i];
    std::ranges::sort(places);
    const auto& block = stages.flow.blocks[i];
    ASSERT_EQ(places.size(), block.last - block.first);
    for (std::uint32_t k = 0; k < places.size(); ++k) EXPECT_EQ(places[k], block.first + k);
  }
}

}  // namespace
}  // namespace warpipe::test
