#include "core/port_contest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "support/property.hpp"

namespace warpipe {
namespace {

const auto kStay = [](std::size_t) { FAIL() << "all candidates stay"; };

TEST(PortContest, WithoutCandidatesHasNone) { EXPECT_EQ(PortContest(3).first(100, kStay).warp, nullptr); }

// Before the port opens time decides; then the key, however late it is.
TEST(PortContest, WarpsThatWaitForThePortAreToldApartByTheirKeys) {
  std::vector<Warp> warps(2);
  PortContest contest(2);
  contest.set(0, {10, 7, &warps[0]}, kForever);
  contest.set(1, {20, 3, &warps[1]}, kForever);
  EXPECT_EQ(contest.first(0, kStay), (Candidate{10, 7, &warps[0]}));
  EXPECT_EQ(contest.first(19, kStay), (Candidate{19, 7, &warps[0]}));
  EXPECT_EQ(contest.first(20, kStay), (Candidate{20, 3, &warps[1]}));
  EXPECT_EQ(contest.first(1000, kStay), (Candidate{1000, 3, &warps[1]}));
}

TEST(PortContest, OfEqualKeysTheOlderWarpGoesFirst) {
  std::vector<Warp> warps(2);
  warps[0].order = 5;
  warps[1].order = 4;
  PortContest contest(2);
  for (std::size_t i = 0; i < 2; ++i) contest.set(i, {static_cast<std::int64_t>(i), 0, &warps[i]}, kForever);
  EXPECT_EQ(contest.first(0, kStay).warp, &warps[0]);
  EXPECT_EQ(contest.first(1, kStay).warp, &warps[1]);
}

// The scheduler of entry 0 has another warp, ready at 15 and then before all other warps.
TEST(PortContest, AsksAgainWhereAnotherWarpMayBeTheFirst) {
  std::vector<Warp> warps(3);
  PortContest contest(2);
  contest.set(0, {10, 5, &warps[0]}, 15);
  contest.set(1, {10, 4, &warps[1]}, kForever);
  std::vector<std::size_t> asked;
  const auto renew = [&](std::size_t entry) {
    asked.push_back(entry);
    contest.set(entry, {15, 1, &warps[2]}, kForever);
  };
  EXPECT_EQ(contest.first(14, renew).warp, &warps[1]);
  EXPECT_TRUE(asked.empty());
  EXPECT_EQ(contest.first(16, renew), (Candidate{16, 1, &warps[2]}));
  EXPECT_EQ(asked, std::vector<std::size_t>{0});
}

// The changes of nodes are the cost of a run: the port opens later a thousand times, and nothing has to be set again.
TEST(PortContest, FirstCandidateIsThatOfASearchAsThePortOpensLaterAndLater) {
  check_property(300, [] {
    const auto entries = *rc::gen::inRange<std::size_t>(1, 20);
    const auto moves = *rc::gen::container<std::vector<std::tuple<std::size_t, std::int64_t, std::int64_t>>>(
        rc::gen::tuple(rc::gen::inRange<std::size_t>(0, entries), rc::gen::inRange<std::int64_t>(0, 12),
                       rc::gen::inRange<std::int64_t>(0, 4)));
    std::vector<Warp> warps(entries);
    for (std::size_t i = 0; i < entries; ++i) warps[i].order = static_cast<std::int64_t>(i * 13 % 20);  // no two alike
    PortContest contest(entries);
    std::vector<Candidate> all(entries);
    std::int64_t opens_at = 0;
    for (const auto& [entry, later, key] : moves) {
      all[entry] = {opens_at + later, key, &warps[entry]};
      contest.set(entry, all[entry], kForever);
      opens_at += key;
      std::vector<Candidate> now = all;
      for (Candidate& candidate : now) candidate.time = std::max(candidate.time, opens_at);
      RC_ASSERT(contest.first(opens_at, kStay) == *std::min_element(now.begin(), now.end()));
    }
  });
}

}  // namespace
}  // namespace warpipe
