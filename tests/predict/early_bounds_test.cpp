#include "warpipe/predict/early_bounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cached_models.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

using testing::Contains;
using testing::Key;
using testing::Not;

using Named = std::map<std::string, std::string>;

Named named(const Bounds& bounds) {
  Named named;
  for (const Bound& bound : bounds.bounds) named[bound.name] = format_cycles(bound.cycles);
  return named;
}

// 64 groups of a warp on 2 units of 4 slots: 8 waves, of 30 cycles where l1 serves the load and of 500 where dram does;
// 32 loads issue on a unit's lsu. Only caches know whether anything comes to dram.
TEST(EarlyBounds, AreThoseOfCachesThatHoldAll) {
  const Kernel kernel = kernel_with_array(access("x", "global.load", "4 * (32 * group + lane)"));
  const EarlyBounds early = early_bounds(kernel, device_with_caches(), {});
  const Named bounds = named(early.bounds), with_caches = named(lower_launch(kernel, device_with_caches(), {}).bounds);
  EXPECT_EQ(bounds.at("latency"), "240");
  EXPECT_EQ(with_caches.at("latency"), "4000");
  EXPECT_EQ(bounds.at("pipeline lsu"), "32");
  EXPECT_EQ(with_caches.at("pipeline lsu"), "32");
  EXPECT_THAT(bounds, Not(Contains(Key("pipeline dram"))));
  EXPECT_THAT(with_caches, Contains(Key("pipeline dram")));
  EXPECT_DOUBLE_EQ(early.highest.count, 240e-9);
  EXPECT_EQ(early.launch.resident_warps, 4);
}

// Levels given by a kernel are no question for caches.
TEST(EarlyBounds, KeepWhatTheKernelSays) {
  const Kernel kernel =
      kernel_with_array(access("x", "global.load", "4 * lane", R"(, "levels": {"l2": {"share": 1}})"));
  EXPECT_EQ(named(early_bounds(kernel, device_with_caches(), {}).bounds),
            named(lower_launch(kernel, device_with_caches(), {}).bounds));
}

}  // namespace
}  // namespace warpipe
