#include "kernel/slot_values.hpp"

#include <gtest/gtest.h>

#include "warpipe/idg/expression.hpp"

namespace warpipe::test {
namespace {

double at_warp(const std::string& text, std::int64_t warp) {
  static const std::vector<std::string> kVisible{"warp"};
  return Expression::parse(text, kVisible).evaluate({{"warp", static_cast<double>(warp)}});
}

TEST(WarpSets, AreSaidAsBriefAsTheyCan) {
  const isa::Warps all{0, 1, 2, 3, 4, 5};
  EXPECT_EQ(isa::warp_condition({2}, all), "warp == 2");
  EXPECT_EQ(isa::warp_condition({0, 1, 2}, all), "warp <= 2");
  EXPECT_EQ(isa::warp_condition({4, 5}, all), "warp >= 4");
  EXPECT_EQ(isa::warp_condition({2, 3}, all), "warp >= 2 && warp <= 3");
  EXPECT_EQ(isa::warp_condition({0, 2, 3, 5}, all), "(warp == 0) || (warp >= 2 && warp <= 3) || (warp == 5)");
}

TEST(WarpSets, AreRunsAmongThoseThatTakePart) { EXPECT_EQ(isa::warp_condition({0, 4}, {0, 4, 7}), "warp <= 4"); }

TEST(WarpSets, HoldForJustTheirWarpsWhateverTheyAre) {
  const isa::Warps all{0, 1, 3, 4, 5, 8};
  for (unsigned bits = 1; bits < 1U << all.size(); ++bits) {
    isa::Warps some;
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((bits >> i & 1U) != 0) some.push_back(all[i]);
    const auto condition = isa::warp_condition(some, all);
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(at_warp(condition, all[i]) != 0, (bits >> i & 1U) != 0) << condition << " at " << all[i];
  }
}

TEST(WarpTable, IsANumberWhereAllAreAlike) { EXPECT_EQ(isa::warp_table({{0, 7}, {1, 7}, {5, 7}}), "7"); }

TEST(WarpTable, GivesEachWarpItsValue) {
  // Four values of four warps: 256 tables, zeros among them.
  for (std::int64_t code = 0; code < 256; ++code) {
    std::map<std::int64_t, std::int64_t> values;
    for (std::int64_t warp = 0; warp < 4; ++warp) values[2 * warp] = (code >> (2 * warp) & 3) * 11;
    const auto table = isa::warp_table(values);
    for (const auto& [warp, value] : values) EXPECT_EQ(at_warp(table, warp), value) << table << " at " << warp;
  }
}

}  // namespace
}  // namespace warpipe::test
