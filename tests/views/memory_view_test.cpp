#include "warpipe/views/memory_view.hpp"

#include <gtest/gtest.h>

namespace warpipe {
namespace {

AccessTraffic access(const std::string& id, LevelsKnown known, double share_of_l1, double dram_bytes,
                     std::optional<double> compulsory = {}) {
  AccessTraffic access{id, "global.load", "", known, 100, {}, compulsory, 0};
  access.levels = {{share_of_l1, 0, 4, 12800}, {0, 0, 2, 6400}, {1 - share_of_l1, 0, 1, dram_bytes}};
  return access;
}

/// A first level of 16 kB, a second level of `l2` bytes.
MemoryTraffic traffic_with(std::vector<AccessTraffic> accesses, double l2 = 64000) {
  return {{{"l1", true, 16000}, {"l2", false, l2}, {"dram", false, 0}}, std::move(accesses), {}};
}

std::string why(const AccessTraffic& access, double l2 = 64000) {
  const MemoryTraffic traffic = traffic_with({access}, l2);
  return why_moved(traffic, traffic.accesses.front());
}

TEST(MemoryView, ShowsARowPerAccessTheSumsAndTheNotes) {
  MemoryTraffic traffic = traffic_with(
      {access("a", LevelsKnown::FromAddresses, 0.75, 3200, 3200), access("b", LevelsKnown::Assumed, 0, 12800)});
  traffic.notes = {"\"b\" has no addresses."};
  EXPECT_EQ(
      write_text(traffic),
      "Memory  executions      l1     l2     dram  l2 moves  dram moves  compulsory  why\n"
      "  a            100  75.0 %  0.0 %   25.0 %    6.4 kB      3.2 kB      3.2 kB  compulsory\n"
      "  b            100   0.0 %  0.0 %  100.0 %    6.4 kB     12.8 kB              no address: taken as served by "
      "dram\n"
      "  all          200                           12.8 kB       16 kB      3.2 kB\n"
      "  The accesses with addresses touch 3.2 kB; l1 holds 16 kB, l2 holds 64 kB.\n"
      "  \"b\" has no addresses.\n");
}

TEST(MemoryView, SaysWhyAnAccessMovesWhatItMoves) {
  const auto known = LevelsKnown::FromAddresses;
  EXPECT_EQ(why(access("a", known, 0, 3300, 3200)), "compulsory");
  EXPECT_EQ(why(access("a", known, 1, 0, 3200)), "stays in caches");
  EXPECT_EQ(why(access("a", known, 0, 6400, 3200)), "2 x compulsory: conflicts or sharing in l2");
  EXPECT_EQ(why(access("a", known, 0, 6400, 3200), 3000), "2 x compulsory: capacity of l2");
  EXPECT_EQ(why(access("a", known, 0, 6400, 0)), "not compulsory: capacity of l2");
  EXPECT_EQ(why(access("a", LevelsKnown::Given, 0, 6400)), "given by the kernel");
  EXPECT_EQ(why(access("a", LevelsKnown::FromSamples, 0, 3200, 3200)), "compulsory; from samples");
}

TEST(MemoryView, TellsWhereTheOrderOfWarpsDecides) {
  AccessTraffic spread = access("a", LevelsKnown::FromAddresses, 0, 3200, 3200);
  spread.spread = 0.03;
  EXPECT_EQ(why(spread), "compulsory");
  spread.spread = 0.12;
  EXPECT_EQ(why(spread), "compulsory; orders of warps differ by 12 points");
}

TEST(MemoryView, SaysThatThereIsNothingToShow) {
  EXPECT_EQ(write_text(MemoryTraffic{}), "Memory: the device has no levels.\n");
  EXPECT_EQ(write_text(traffic_with({})), "Memory: nothing accesses global memory.\n");
}

}  // namespace
}  // namespace warpipe
