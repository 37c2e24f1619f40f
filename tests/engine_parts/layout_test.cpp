#include "core/layout.hpp"

#include <gtest/gtest.h>

#include "shared_pipelines.hpp"

/// Where warps sit (rules 5 and 8 of the model).

namespace warpipe {
namespace {

/// Two units of three slots for groups of two warps.
Layout layout_with(std::int64_t schedulers) {
  Program program = program_with(2, schedulers);
  program.machine.group_slots = 3;
  program.kinds = {{0, 0}};
  return Layout(program);
}

TEST(Layout, NumbersWarpSlotsByUnitThenBySlotThenByWarp) {
  const Layout layout = layout_with(4);
  EXPECT_EQ(layout.warp_slots(), 12U);
  std::size_t next = 0;
  for (std::int64_t unit = 0; unit < 2; ++unit)
    for (std::int64_t slot = 0; slot < 3; ++slot)
      for (std::size_t warp = 0; warp < 2; ++warp) {
        const std::size_t warp_slot = layout.warp_slot(layout.group_slot(unit, slot), warp);
        EXPECT_EQ(warp_slot, next++);
        EXPECT_EQ(layout.unit_of(warp_slot), static_cast<std::size_t>(unit));
        EXPECT_EQ(layout.slot_of_unit(layout.group_slot_of(warp_slot)), static_cast<std::size_t>(slot));
        EXPECT_EQ(layout.warp_of_group(warp_slot), warp);
      }
}

// Rule 5: the warp with index w in slot s belongs to scheduler (s x warps per group + w) mod S of its unit.
TEST(Layout, DealsTheWarpSlotsOfAUnitToItsSchedulers) {
  const Layout layout = layout_with(4);
  const std::size_t expected[] = {0, 1, 2, 3, 0, 1, 4, 5, 6, 7, 4, 5};
  for (std::size_t warp_slot = 0; warp_slot < 12; ++warp_slot)
    EXPECT_EQ(layout.scheduler_of(warp_slot), expected[warp_slot]) << warp_slot;
}

TEST(Layout, AUnitWithoutSchedulersCountsAsOne) {
  const Layout layout = layout_with(0);
  EXPECT_EQ(layout.schedulers(), 2U);
  EXPECT_EQ(layout.scheduler_of(5), 0U);
  EXPECT_EQ(layout.scheduler_of(6), 1U);
}

}  // namespace
}  // namespace warpipe
