#include "observers/fan_out.hpp"

#include <gtest/gtest.h>

namespace warpipe {
namespace {

struct OfGroups : NoObserver {
  static constexpr bool kSupportsSkipping = true;
  int placed = 0;
  void on_group_placed(const GroupPlacedEvent&) { ++placed; }
};

struct OfWarps : NoObserver {
  static constexpr bool kWantsWarpEvents = true;
  int placed = 0;
  bool finished = false;
  bool is_finished() const { return finished; }
  void on_group_placed(const GroupPlacedEvent&) { ++placed; }
};

TEST(FanOut, WantsWhatAnyOfItsObserversWantsAndSkipsOnlyWhereAllDo) {
  EXPECT_TRUE((FanOut<OfGroups, OfWarps>::kWantsWarpEvents));
  EXPECT_FALSE((FanOut<OfGroups, OfWarps>::kSupportsSkipping));
  EXPECT_FALSE((FanOut<OfGroups, OfGroups>::kWantsWarpEvents));
  EXPECT_TRUE((FanOut<OfGroups, OfGroups>::kSupportsSkipping));
}

TEST(FanOut, PassesEventsToAllThatAreThereAndNotFinished) {
  OfGroups groups;
  OfWarps warps;
  FanOut both(&groups, &warps);
  both.on_group_placed({});
  warps.finished = true;
  both.on_group_placed({});
  EXPECT_EQ(groups.placed, 2);
  EXPECT_EQ(warps.placed, 1);
  FanOut<OfGroups, OfWarps> one(nullptr, &warps);
  one.on_group_placed({});
  EXPECT_EQ(warps.placed, 1);
}

TEST(FanOut, IsFinishedWhenAllAre) {
  OfGroups groups;
  OfWarps warps;
  warps.finished = true;
  EXPECT_FALSE(FanOut(&groups, &warps).is_finished());
  EXPECT_TRUE((FanOut<OfGroups, OfWarps>(nullptr, &warps).is_finished()));
}

}  // namespace
}  // namespace warpipe
