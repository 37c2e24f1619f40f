#include "survey/axis_profile.hpp"

#include <gmock/gmock.h>

#include <bit>

namespace warpipe::test {
namespace {

using isa::BehaviourAt;

/// Profiles an axis and counts the places that it looks at.
struct Profiled {
  Profiled(std::int64_t places, const BehaviourAt& behaviour, std::size_t most = 2000) : size(places), at(behaviour) {
    std::map<std::int64_t, std::uint32_t> known;
    profile = isa::profile_axis(
        size,
        [&](std::int64_t place) {
          EXPECT_TRUE(place >= 0 && place < size) << place;
          return known.try_emplace(place, at(place)).first->second;
        },
        most);
    looked_at = known.size();
  }
  void expect_exact() const {
    EXPECT_TRUE(profile.exact);
    EXPECT_EQ(profile.size(), size);
    for (std::int64_t place = 0; place < size; ++place)
      ASSERT_EQ(at(profile.representative_of(place)), at(place)) << place;
  }
  std::int64_t size;
  BehaviourAt at;
  isa::AxisProfile profile;
  std::size_t looked_at = 0;
};

TEST(AxisProfile, FindsWhereBehaviourChangesByHalving) {
  const Profiled found(20'000, [](std::int64_t place) { return place < 7 ? 3U : place < 12'345 ? 1U : 2U; });
  found.expect_exact();
  EXPECT_LT(found.looked_at, 150U);
}

TEST(AxisProfile, FindsPatternsOfAnyPeriodAndWhatLiesBesideThem) {
  for (const std::int64_t period : {2, 3, 7, 64, 100, 128, 211}) {
    const Profiled found(10'007, [&](std::int64_t place) {
      return place < 100 ? 1000U : place >= 9'000 ? 1001U : static_cast<std::uint32_t>(place % period);
    });
    found.expect_exact();
  }
}

TEST(AxisProfile, FindsAPatternAlmostAsLongAsTheAxis) {
  // The window in which the period is found begins at (2049 - 1024) / 2 = 512, a little more than a period behind 0.
  const Profiled found(
      2'049, [](std::int64_t place) { return static_cast<std::uint32_t>(place % 500); }, 2'048);
  found.expect_exact();
}

TEST(AxisProfile, TakesPlacesForThoseNearestWhereThereIsNoOrder) {
  const auto scattered = [](std::int64_t place) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(place) * 0x9e3779b97f4a7c15 >> 60);
  };
  const Profiled found(100'000, scattered);
  EXPECT_FALSE(found.profile.exact);
  EXPECT_EQ(found.profile.size(), 100'000);
  double places = 0, sum = 0;
  for (const auto& [place, weight] : found.profile.weights()) {
    places += weight;
    sum += weight * scattered(place);
  }
  EXPECT_EQ(places, 100'000);
  EXPECT_NEAR(sum / places, 7.5, 0.5);
}

TEST(AxisProfile, LetsTheFewLargeNodesOfATreeStandForThemselvesAlone) {
  // The lowest bit of place + 1: each of 17 sizes makes up as much as any other.
  const auto node = [](std::int64_t place) {
    return std::uint32_t{1} << std::countr_zero(static_cast<std::uint64_t>(place + 1));
  };
  const Profiled found(1 << 16, node, 16'000);
  EXPECT_FALSE(found.profile.exact);
  double sum = 0;
  for (const auto& [place, weight] : found.profile.weights()) sum += weight * node(place);
  EXPECT_NEAR(sum / (16 * 32768 + 65536), 1, 0.01);
}

TEST(AxisProfile, SpreadsPlacesOverEveryPeriod) {
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
