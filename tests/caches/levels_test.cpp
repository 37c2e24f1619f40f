#include "warpipe/caches/levels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caches/every_access.hpp"
#include "caches/patterns.hpp"

namespace warpipe {
namespace {

class EachPattern : public testing::TestWithParam<Pattern> {};

void expect_equal(const AccessMaker& maker, const Device& device) {
  const Kernel kernel = maker.kernel();
  const LevelsFromAddresses found = levels_from_addresses(kernel, device, maker.launch());
  ASSERT_EQ(found.simulated_groups, found.groups);
  ASSERT_EQ(found.most_trips, 0);
  const auto counted = count_every_access(kernel, device, maker.launch());
  ASSERT_EQ(found.accesses.size(), counted.size());
  for (const AccessLevels& access : found.accesses) {
    SCOPED_TRACE(kernel.instructions[access.instruction].id);
    const CountedAccess& expected = counted.at(access.instruction);
    EXPECT_EQ(access.executions, expected.executions);
    EXPECT_EQ(access.compulsory_bytes, expected.compulsory_bytes);
    for (std::size_t k = 0; k < expected.found.size(); ++k) {
      EXPECT_NEAR(access.levels[k].found, expected.found[k], 1e-9) << k;
      EXPECT_NEAR(access.levels[k].share, expected.share[k], 1e-9) << k;
      EXPECT_NEAR(access.levels[k].sectors, expected.sectors[k], 1e-9) << k;
    }
  }
}

TEST_P(EachPattern, IsAsEveryAccessCounted) { expect_equal(GetParam().maker, cached_device(4, 16384, 65536)); }

TEST_P(EachPattern, IsAsEveryAccessCountedWithParts) {
  expect_equal(GetParam().maker, cached_device(6, 8192, 65536, 2));
}

INSTANTIATE_TEST_SUITE_P(Levels, EachPattern, testing::ValuesIn(patterns()),
                         [](const auto& pattern) { return pattern.param.name; });

}  // namespace
}  // namespace warpipe
