#include "survey/group_order.hpp"

#include <gmock/gmock.h>

#include <random>

#include "survey/group_finder.hpp"

namespace warpipe::test {
namespace {

using isa::Dimensions;
using isa::GroupBox;

/// A grid cut at random into boxes, each of one of four kinds.
class CutGrid {
 public:
  explicit CutGrid(std::uint32_t seed) : random_(seed) {
    for (auto& size : grid) size = below(12) + 1;
    for (std::size_t axis = 0; axis < 3; ++axis) steps_[axis] = below(std::min<std::int64_t>(4, grid[axis])) + 1;
    GroupBox all;
    by_rests(0, all);
  }

  std::vector<std::int64_t> kinds_by_index() const {
    std::vector<std::int64_t> kinds(static_cast<std::size_t>(grid[0] * grid[1] * grid[2]), -1);
    for (const auto& [sides, kind] : boxes)
      for (std::int64_t z = 0; z < sides[2].places; ++z)
        for (std::int64_t y = 0; y < sides[1].places; ++y)
          for (std::int64_t x = 0; x < sides[0].places; ++x)
            kinds[static_cast<std::size_t>((sides[2].place(z) * grid[1] + sides[1].place(y)) * grid[0] +
                                           sides[0].place(x))] = kind;
    return kinds;
  }

  Dimensions grid;
  std::vector<GroupBox> boxes;

 private:
  std::int64_t below(std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_); }

  void by_rests(std::size_t axis, GroupBox box) {
    if (axis == 3) return cut(box);
    for (std::int64_t rest = 0; rest < steps_[axis]; ++rest) {
      box.sides[axis] = {rest, (grid[axis] - 1 - rest) / steps_[axis] + 1, steps_[axis]};
      by_rests(axis + 1, box);
    }
  }

  void cut(GroupBox box) {
    auto& side = box.sides[static_cast<std::size_t>(below(3))];
    if (side.places > 1 && below(3) > 0) {
      const auto first = below(side.places - 1) + 1, all = side.places;
      side.places = first;
      cut(box);
      side = {side.place(first), all - first, side.step};
      cut(box);
      return;
    }
    box.kind = static_cast<std::uint32_t>(below(4));
    boxes.push_back(box);
  }

  std::mt19937 random_;
  Dimensions steps_{1, 1, 1};
};

TEST(GroupOrder, NamesTheKindOfEachGroupByItsIndex) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const CutGrid cut(seed);
    const auto expected = cut.kinds_by_index();
    const auto order = isa::order_of(cut.boxes);
    std::vector<std::int64_t> kinds;
    for (std::size_t run = 0; kinds.size() < expected.size(); run = (run + 1) % order.size())
      kinds.insert(kinds.end(), static_cast<std::size_t>(order[run].groups), order[run].kind);
    kinds.resize(expected.size());
    ASSERT_EQ(kinds, expected) << "seed " << seed;
  }
}

TEST(GroupOrder, IsShortWhereRowsAreAlike) {
  // 2^20 rows of 2^11 - 1 groups: the first group of each row is of another kind.
  const std::int64_t rows = 1 << 20, row = (1 << 11) - 1;
  const auto order = isa::order_of({{{{{1, row - 1}, {0, rows}, {0, 1}}}, 0}, {{{{0, 1}, {0, rows}, {0, 1}}}, 1}});
  ASSERT_EQ(order.size(), 2);
  EXPECT_EQ(order[0].kind, 1);
  EXPECT_EQ(order[0].groups, 1);
  EXPECT_EQ(order[1].groups, row - 1);
}

TEST(SpreadPlaces, AreInStepWithNoPeriod) {
  for (const std::int64_t period : {2, 3, 5, 16, 17}) {
    std::map<std::int64_t, double> in_phase;
    for (const auto place : isa::spread_places(100'000, 2000)) ++in_phase[place % period];
    ASSERT_EQ(in_phase.size(), static_cast<std::size_t>(period));
    for (const auto& [phase, places] : in_phase)
      EXPECT_NEAR(places / 2000 * static_cast<double>(period), 1, 0.25) << period;
  }
}

}  // namespace
}  // namespace warpipe::test
