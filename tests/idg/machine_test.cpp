#include "warpipe/idg/machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpipe {
namespace {

TEST(Machine, ScopesHaveTheNamesOfTheDeviceFile) {
  EXPECT_EQ(to_string(Scope::ComputeUnit), "compute_unit");
  EXPECT_EQ(to_string(Scope::Scheduler), "scheduler");
  EXPECT_EQ(to_string(Scope::Device), "device");
  for (const Scope scope : {Scope::ComputeUnit, Scope::Scheduler, Scope::Device})
    EXPECT_EQ(parse_scope(to_string(scope)), scope);
  for (const char* name : {"", "Device", "compute unit", "device "}) EXPECT_EQ(parse_scope(name), std::nullopt) << name;
}

TEST(Machine, PoliciesHaveTheNamesOfTheModel) {
  EXPECT_EQ(to_string(Policy::FirstReady), "first-ready");
  EXPECT_EQ(to_string(Policy::Oldest), "oldest");
  EXPECT_EQ(to_string(Policy::GreedyOldest), "greedy-oldest");
  EXPECT_EQ(to_string(Policy::RoundRobin), "round-robin");
  for (const PolicyRow& row : kPolicies) {
    EXPECT_EQ(to_string(row.policy), row.name);
    EXPECT_EQ(parse_policy(row.name), row.policy);
    EXPECT_EQ(std::ranges::count(kPolicies, row.policy, &PolicyRow::policy), 1);
    EXPECT_FALSE(row.description.empty());
  }
  for (const char* name : {"", "first_ready", "Oldest", "fifo"}) EXPECT_EQ(parse_policy(name), std::nullopt) << name;
}

}  // namespace
}  // namespace warpipe
