#include "core/rotation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/property.hpp"
#include "support/reference_levels.hpp"

namespace warpipe {
namespace {

Rotation of(const std::vector<std::int64_t>& positions) {
  return make_rotation({0, static_cast<std::uint32_t>(positions.size())}, positions);
}

std::vector<int> first_turns(const Rotation& rotation, std::size_t turns) {
  return {rotation.service_of_turn.begin(), rotation.service_of_turn.begin() + static_cast<std::ptrdiff_t>(turns)};
}

// The digits of 0, 1, 2, 3, ... in reverse order are the positions 0, 32, 16, 48, 8, 40, 24, 56, ...
TEST(Rotation, SpreadsTheTurnsOfEachService) {
  EXPECT_EQ(first_turns(of({32, 32}), 4), (std::vector{0, 1, 0, 1}));
  EXPECT_EQ(first_turns(of({48, 16}), 8), (std::vector{0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(first_turns(of({16, 16, 32}), 4), (std::vector{0, 2, 1, 2}));
  EXPECT_EQ(first_turns(of({56, 8}), 8), (std::vector{0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST(Rotation, HasTheShortestPeriod) {
  EXPECT_EQ(of({64}).period, 1U);
  EXPECT_EQ(of({32, 32}).period, 2U);
  EXPECT_EQ(of({56, 8}).period, 8U);
  EXPECT_EQ(of({63, 1}).period, 64U);
}

std::vector<std::int64_t> any_positions() {
  std::vector<std::int64_t> ends{0, *rc::gen::inRange<std::int64_t>(0, 65), *rc::gen::inRange<std::int64_t>(0, 65), 64};
  std::ranges::sort(ends);
  return {ends[1] - ends[0], ends[2] - ends[1], ends[3] - ends[2]};
}

TEST(Rotation, GivesEveryTurnAsTheReferenceDoes) {
  check_property(500, [] {
    const std::vector<std::int64_t> positions = any_positions();
    const Rotation rotation = of(positions);
    for (std::int64_t turn = 0; turn < 64; ++turn) {
      const std::int64_t position = reference::position_of(turn, 0);
      const int service = position < positions[0] ? 0 : position < positions[0] + positions[1] ? 1 : 2;
      RC_ASSERT(rotation.service_of_turn[static_cast<std::size_t>(turn % rotation.period)] == service);
    }
  });
}

TEST(Rotation, CountsTheExecutionsOfEachServiceAsOneByOne) {
  check_property(500, [] {
    const Rotation rotation = of(any_positions());
    const auto first = *rc::gen::inRange<std::int64_t>(0, 200), executions = *rc::gen::inRange<std::int64_t>(0, 300);
    std::vector<std::int64_t> counted(3, 0);
    for (std::int64_t i = 0; i < executions; ++i)
      ++counted[rotation.service_of_turn[static_cast<std::size_t>((first + i) % rotation.period)]];
    RC_ASSERT(executions_by_service(rotation, first, executions) == counted);
  });
}

TEST(Rotation, AWarpTakesItsTurnsOneAfterTheOtherFromItsNumberOn) {
  InstructionStream stream;
  stream.rotations = {of({16, 16, 32})};  // 0 2 1 2
  stream.rotations.front().cell = 1;
  std::vector<std::int64_t> cells(2);
  Warp warp;
  warp.stream = &stream;
  warp.cells = cells.data();
  warp.order = 5;
  start_rotations(warp);
  std::vector<std::uint32_t> services;
  for (int i = 0; i < 5; ++i) {
    services.push_back(service_in_turn(warp, stream.rotations.front()));
    take_turn(warp, stream.rotations.front());
    EXPECT_EQ(service_in_turn(warp, stream.rotations.front(), 1), services.back()) << "the execution before";
  }
  EXPECT_EQ(services, (std::vector<std::uint32_t>{2, 1, 2, 0, 2}));
}

}  // namespace
}  // namespace warpipe
