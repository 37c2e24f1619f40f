#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "program.hpp"
#include "support/sanitizers.hpp"

namespace warpipe::test {
namespace {

/// The least of several runs: differences between runs of the same command (the place of the program in memory and the
/// pages mapped in advance) only add to the need of the command. A single thread allocates, in the same order each
/// time, so the rest is the same in all runs.
std::int64_t peak_kib(const std::string& n) {
  auto least = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 3; ++i) {
    const auto outcome =
        warpipe({"simulate", "mmul16", "--device", "gtx1060", "--concurrent-groups", "1", "--param", "n=" + n});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    least = std::min(least, outcome.peak_kib);
  }
  return least;
}

// 256 times the groups and 16 times the trips. The caches are simulated on a part of either, equally large for both,
// but with places farther apart.
TEST(Memory, OfASimulationDoesNotGrowWithItsWork) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer keeps freed memory back";
  const auto small = peak_kib("1024"), large = peak_kib("16384");
  RecordProperty("small_kib", std::to_string(small));
  RecordProperty("large_kib", std::to_string(large));
  EXPECT_GT(small, 1000);
  EXPECT_LT(std::abs(large - small), 16384) << small << " and " << large << " KiB";
}

}  // namespace
}  // namespace warpipe::test
