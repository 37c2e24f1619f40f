#include "warpipe/idg/idle_waits.hpp"

#include <gmock/gmock.h>

#include "kernel_maker.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(IdleWaits, InstructionOutsideOfLoopsNeverWaitsForItself) {
  EXPECT_THAT(
      idle_waits(KernelMaker().instruction("a", {"a"}).make()),
      ElementsAre("/a/after/0: \"a\" never waits here: no loop is around it, so that nothing of it comes before"));
}

TEST(IdleWaits, NorForALaterOne) {
  const Kernel kernel = KernelMaker().instruction("a").instruction("b", {"a", "c"}).instruction("c").make();
  EXPECT_THAT(idle_waits(kernel),
              ElementsAre("/b/after/1: \"b\" never waits here: \"c\" comes later, and no loop is around both"));
}

TEST(IdleWaits, NorForALaterOneOfAnotherLoop) {
  const Kernel kernel = KernelMaker()
                            .loop("l", Expression(8), [](KernelMaker& body) { body.instruction("a", {"b"}); })
                            .loop("m", Expression(8), [](KernelMaker& body) { body.instruction("b"); })
                            .make();
  EXPECT_THAT(idle_waits(kernel), SizeIs(1));
}

TEST(IdleWaits, NorForAnEarlierExecutionOfWhatExecutesOnce) {
  const auto asks_for = [](double back) {
    return KernelMaker().instruction("a").instruction("b", {{"a", back}}).make();
  };
  EXPECT_THAT(idle_waits(asks_for(1)), IsEmpty());
  EXPECT_THAT(
      idle_waits(asks_for(2)),
      ElementsAre("/b/after/0: \"b\" never waits here: \"a\" executes once at most, and an earlier execution is "
                  "asked for"));
}

// Any loop around both may come round; whether it does, and whether a condition holds, is known only with values.
TEST(IdleWaits, LoopAroundBothIsEnough) {
  const Kernel kernel = KernelMaker()
                            .loop("outer", Expression(1),
                                  [](KernelMaker& body) {
                                    body.loop("l", Expression(8), [](KernelMaker& inner) {
                                      inner.instruction("a", {"a", "b", {"b", 7}});
                                    });
                                    body.when(Expression(0), [](KernelMaker& inner) { inner.instruction("b"); });
                                  })
                            .make();
  EXPECT_THAT(idle_waits(kernel), IsEmpty());
}

TEST(IdleWaits, EarlierProducersInLoopsMayHaveExecutedOften) {
  const Kernel kernel = KernelMaker()
                            .loop("l", Expression(8), [](KernelMaker& body) { body.instruction("a"); })
                            .instruction("b", {{"a", 5}})
                            .make();
  EXPECT_THAT(idle_waits(kernel), IsEmpty());
}

TEST(IdleWaits, OfManyTheFirstFewAreShown) {
  KernelMaker maker;
  for (const char* id : {"a", "b", "c", "d", "e", "f"}) maker.instruction(id, {id});
  const auto found = idle_waits(maker.make());
  ASSERT_THAT(found, SizeIs(5));
  EXPECT_EQ(found.back(), "2 more entries of \"after\" never bind");
}

}  // namespace
}  // namespace warpipe
