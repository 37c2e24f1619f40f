// The next loads of lanes, by their recorded loads.
#include "lanes/load_index.hpp"

#include <gmock/gmock.h>

#include <array>

namespace warpipe::test {
namespace {

using By = isa::RecordedLoad::By;
using isa::LoadIndex;

constexpr std::uint64_t kPlace = isa::kSharedWindow | 64;

/// A warp whose first lane loads numbers from a single place.
class OneLane {
 public:
  OneLane& loads(std::uint32_t phase, std::uint64_t value, int times = 1, int bytes = 4, By by = By::Load,
                 std::uint64_t place = kPlace) {
    for (int i = 0; i < times; ++i) warp_.add(1, phase, bytes, by, &place, &value);
    return *this;
  }
  LoadIndex index() const {
    static const isa::Program kProgram;
    static const isa::Launch kLaunch;
    static const isa::RecordedLoads kNothing;
    static const std::vector<isa::Argument> kArguments;
    static const isa::MemoryLayout kLayout(kProgram, kLaunch, kArguments);
    static const isa::RecordedMemory kMemory(kNothing, kProgram, kArguments, kLayout);
    return {warp_, kMemory};
  }

 private:
  isa::RecordedWarp warp_;
};

/// The numbers loaded by the lane in `times` loads in a row.
std::vector<std::uint64_t> next(LoadIndex& index, int times, int bytes = 4, By by = By::Load,
                                std::uint64_t place = kPlace) {
  std::vector<std::uint64_t> got;
  for (int i = 0; i < times; ++i)
    if (const auto found = index.next(0, place, bytes, by)) got.push_back(found->value);
  return got;
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LoadIndex, GivesNumbersOfAPhaseInOrderAndThenTheLastAgain) {
  auto index = OneLane().loads(0, 5).loads(0, 6, 2).loads(0, 7).index();
  EXPECT_THAT(next(index, 6), ElementsAre(5, 6, 6, 7, 7, 7));
  EXPECT_THAT(next(index, 1, 4, By::Atomic), IsEmpty()) << "what stood before an atomic is another number";
  EXPECT_FALSE(index.next(1, kPlace, 4, By::Load)) << "and so is what another lane loads";
}

TEST(LoadIndex, GoesOnWithABarrierHoweverOftenACompilerLoads) {
  // The machine loads three times between barriers, its compiler's code once.
  auto index = OneLane().loads(0, 5, 3).loads(1, 6, 3).loads(2, 6, 3).loads(4, 7, 3).index();
  EXPECT_THAT(next(index, 1), ElementsAre(5));
  index.pass(1);
  EXPECT_THAT(next(index, 1), ElementsAre(6));
  index.pass(2);
  EXPECT_THAT(next(index, 5), ElementsAre(6, 6, 6, 6, 6)) << "none was recorded in the third phase";
  index.pass(1);
  EXPECT_THAT(next(index, 2), ElementsAre(7, 7));
}

TEST(LoadIndex, IsAskedInAnyPhaseFirst) {
  // A place that the machine loads in each phase, and another compiler's code in a later phase alone.
  for (const std::uint32_t first : {0U, 1U, 2U}) {
    auto index = OneLane().loads(0, 5, 2).loads(1, 6, 2).loads(2, 7, 2).index();
    index.pass(first);
    EXPECT_THAT(next(index, 2), ElementsAre(5 + first, 5 + first)) << first;
  }
}

TEST(LoadIndex, PassesOverWhatIterationsWouldHaveAskedFor) {
  OneLane lane;
  for (std::uint64_t ticket = 0; ticket < 100; ++ticket) lane.loads(0, 3 * ticket, 1, 4, By::Atomic);
  auto index = lane.index();
  const auto first = index.next(0, kPlace, 4, By::Atomic);
  ASSERT_TRUE(first && first->history);
  index.skip(*first->history, 49);
  EXPECT_THAT(next(index, 2, 4, By::Atomic), ElementsAre(150, 153));
}

TEST(LoadIndex, FindsPartsOfNumbersAndNeighbours) {
  auto wide = OneLane().loads(0, 0x1122334455667788, 1, 8).index();
  EXPECT_THAT(next(wide, 1, 4), ElementsAre(0x55667788));
  EXPECT_THAT(next(wide, 1, 4, By::Load, kPlace + 4), ElementsAre(0x11223344));
  EXPECT_THAT(next(wide, 1, 1, By::Load, kPlace + 5), ElementsAre(0x33));
  auto narrow = OneLane()
                    .loads(0, 0x7788, 1, 2)
                    .loads(0, 0x5566, 1, 2, By::Load, kPlace + 2)
                    .loads(0, 0x11223344, 1, 4, By::Load, kPlace + 4)
                    .index();
  EXPECT_THAT(next(narrow, 1, 4), ElementsAre(0x55667788));
  EXPECT_THAT(next(narrow, 1, 8), ElementsAre(0x1122334455667788));
  EXPECT_THAT(next(narrow, 1, 8, By::Load, kPlace + 4), IsEmpty());
}

TEST(LoadIndex, KeepsNumbersOfSeveralWidthsAtAPlaceApart) {
  // A union in shared memory: words in the phases 0 and 2, halves in the phases 1 and 3.
  auto index = OneLane()
                   .loads(0, 0x11112222, 2)
                   .loads(1, 0x3333, 1, 2)
                   .loads(1, 0x4444, 1, 2, By::Load, kPlace + 2)
                   .loads(2, 0x55556666, 2)
                   .loads(3, 0x7777, 1, 2)
                   .loads(3, 0x8888, 1, 2, By::Load, kPlace + 2)
                   .index();
  EXPECT_THAT(next(index, 1), ElementsAre(0x11112222));
  EXPECT_THAT(next(index, 1, 2, By::Load, kPlace + 2), ElementsAre(0x1111)) << "loaded as a word in this phase";
  index.pass(1);
  EXPECT_THAT(next(index, 1, 2), ElementsAre(0x3333));
  EXPECT_THAT(next(index, 1), ElementsAre(0x44443333)) << "loaded as halves in this phase";
  index.pass(1);
  EXPECT_THAT(next(index, 2), ElementsAre(0x55556666, 0x55556666));
  EXPECT_THAT(next(index, 1, 1), ElementsAre(0x66));
  index.pass(1);
  EXPECT_THAT(next(index, 1, 2), ElementsAre(0x7777));
  EXPECT_THAT(next(index, 1, 1, By::Load, kPlace + 3), ElementsAre(0x88));
  index.pass(1);
  EXPECT_THAT(next(index, 1), ElementsAre(0x88887777)) << "the latest numbers hold until others are recorded";
}

}  // namespace
}  // namespace warpipe::test
