#include "core/dispatcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "support/property.hpp"
#include "warpipe/idg/error.hpp"

/// Rule 8 of the model: free slots take groups in order of (time free, slot, unit).

namespace warpipe {
namespace {

using Placed = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  ///< time, slot, unit

Machine machine_with(std::int64_t units, std::int64_t slots, std::int64_t groups, std::int64_t launch = 0,
                     std::int64_t interval = 0) {
  Machine machine;
  machine.units = units;
  machine.group_slots = slots;
  machine.groups = groups;
  machine.group_launch_latency = Ticks{launch};
  machine.group_dispatch_interval = Ticks{interval};
  return machine;
}

/// All further placements.
std::vector<Placed> placements(Dispatcher& dispatcher) {
  std::vector<Placed> all;
  while (dispatcher.next_time() != kForever) {
    const auto placement = dispatcher.place();
    all.emplace_back(placement.time, placement.slot, placement.unit);
  }
  return all;
}

TEST(Dispatcher, GoesOverAllUnitsBeforeItFillsTheNextSlot) {
  const Machine machine = machine_with(3, 2, 100);
  Dispatcher dispatcher(machine);
  EXPECT_EQ(placements(dispatcher),
            (std::vector<Placed>{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 1, 0}, {0, 1, 1}, {0, 1, 2}}));
}

TEST(Dispatcher, PlacesNoMoreThanThereAre) {
  const Machine machine = machine_with(3, 2, 4);
  Dispatcher dispatcher(machine);
  EXPECT_EQ(placements(dispatcher).size(), 4u);
  dispatcher.group_ended(5, 0, 0);
  EXPECT_EQ(dispatcher.next_time(), kForever);
}

TEST(Dispatcher, NumbersGroupsInTheOrderOfTheirPlacement) {
  const Machine machine = machine_with(1, 2, 3);
  Dispatcher dispatcher(machine);
  EXPECT_EQ(dispatcher.place().age, 0);
  EXPECT_EQ(dispatcher.place().age, 1);
  dispatcher.group_ended(9, 0, 1);
  EXPECT_EQ(dispatcher.place().age, 2);
}

TEST(Dispatcher, TakesTheSlotThatWasFreeFirstThenTheLowerSlotThenTheLowerUnit) {
  const Machine machine = machine_with(2, 2, 100);
  Dispatcher dispatcher(machine);
  placements(dispatcher);
  dispatcher.group_ended(7, 0, 0);
  dispatcher.group_ended(5, 0, 1);
  dispatcher.group_ended(5, 1, 1);
  dispatcher.group_ended(5, 1, 0);
  EXPECT_EQ(placements(dispatcher), (std::vector<Placed>{{5, 0, 1}, {5, 1, 0}, {5, 1, 1}, {7, 0, 0}}));
}

TEST(Dispatcher, FreesASlotALaunchLatencyAfterItsGroupEnded) {
  const Machine machine = machine_with(1, 1, 2, 200);
  Dispatcher dispatcher(machine);
  EXPECT_EQ(dispatcher.place().time, 0);  // nothing ended before the first
  EXPECT_EQ(dispatcher.next_time(), kForever);
  dispatcher.group_ended(50, 0, 0);
  EXPECT_EQ(dispatcher.next_time(), 250);
}

TEST(Dispatcher, KeepsTheIntervalBetweenPlacementsOnTheWholeDevice) {
  const Machine machine = machine_with(2, 2, 6, 0, 10);
  Dispatcher dispatcher(machine);
  EXPECT_EQ(placements(dispatcher), (std::vector<Placed>{{0, 0, 0}, {10, 0, 1}, {20, 1, 0}, {30, 1, 1}}));
  dispatcher.group_ended(33, 1, 0);  // free before 30 + 10
  EXPECT_EQ(dispatcher.place().time, 40);
  dispatcher.group_ended(51, 0, 0);  // free after 40 + 10
  EXPECT_EQ(dispatcher.place().time, 51);
}

// The interval counts from the placement before, not from when the slot was free.
TEST(Dispatcher, TakesASlotThatIsFreeEarlierThoughItIsKnownLater) {
  const Machine machine = machine_with(1, 2, 100, 0, 10);
  Dispatcher dispatcher(machine);
  placements(dispatcher);  // at 0 and 10
  dispatcher.group_ended(18, 0, 1);
  EXPECT_EQ(dispatcher.next_time(), 20);
  dispatcher.group_ended(15, 0, 0);  // known before anything is placed at 20
  EXPECT_EQ(dispatcher.place().slot, 0);
  EXPECT_EQ(dispatcher.next_time(), 30);
}

TEST(Dispatcher, RefusesATimeThatDoesNotFit) {
  const Machine machine = machine_with(1, 1, 2, 10);
  Dispatcher dispatcher(machine);
  dispatcher.place();
  EXPECT_THROW(dispatcher.group_ended(INT64_MAX - 9, 0, 0), ModelError);
}

/// Groups of random lengths, handed out by a search through all slots.
std::vector<Placed> placed_by_search(const Machine& machine, const std::vector<std::int64_t>& lengths) {
  std::vector<Placed> free, placed;
  for (std::int64_t unit = 0; unit < machine.units; ++unit)
    for (std::int64_t slot = 0; slot < machine.group_slots; ++slot) free.emplace_back(0, slot, unit);
  std::int64_t earliest = 0;
  for (const std::int64_t length : lengths) {
    // All lengths are known, so every slot's time is, though its group may not have ended yet. A slot free later than
    // the placement is made does not come before a slot free then.
    const auto first = std::min_element(free.begin(), free.end());
    const auto [time, slot, unit] = *first;
    const std::int64_t placement = std::max(time, earliest);
    placed.emplace_back(placement, slot, unit);
    earliest = placement + machine.group_dispatch_interval.count;
    *first = {placement + length + machine.group_launch_latency.count, slot, unit};
  }
  return placed;
}

/// The same, where the dispatcher learns of each end when its time has come.
std::vector<Placed> placed_by_dispatcher(const Machine& machine, const std::vector<std::int64_t>& lengths) {
  Dispatcher dispatcher(machine);
  std::vector<Placed> ends, placed;
  while (placed.size() < lengths.size()) {
    const auto next_end = std::min_element(ends.begin(), ends.end());
    if (next_end != ends.end() && std::get<0>(*next_end) <= dispatcher.next_time()) {
      dispatcher.group_ended(std::get<0>(*next_end), std::get<2>(*next_end), std::get<1>(*next_end));
      ends.erase(next_end);
      continue;
    }
    const auto placement = dispatcher.place();
    ends.emplace_back(placement.time + lengths[placed.size()], placement.slot, placement.unit);
    placed.emplace_back(placement.time, placement.slot, placement.unit);
  }
  return placed;
}

TEST(Dispatcher, PlacesAsASearchThroughAllSlotsWould) {
  check_property(300, [] {
    const auto draw = [](std::int64_t least, std::int64_t most) { return *rc::gen::inRange(least, most + 1); };
    const auto lengths = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(1, 12));
    const Machine machine =
        machine_with(draw(1, 4), draw(1, 4), static_cast<std::int64_t>(lengths.size()), draw(0, 5), draw(0, 4));
    RC_ASSERT(placed_by_dispatcher(machine, lengths) == placed_by_search(machine, lengths));
  });
}

}  // namespace
}  // namespace warpipe
