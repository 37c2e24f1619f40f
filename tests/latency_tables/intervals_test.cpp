#include "warpipe/latency_tables/intervals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace warpipe {
namespace {

Device device_with_sources() {
  return read_device_json(R"({
    "format": "warpipe-device", "version": 1, "name": "d", "compute_units": 1, "clock_hz": 1e9, "warp_size": 32,
    "group_launch_latency": 100,
    "memory": {"levels": [{"name": "dram", "latency_s": 5e-7, "read_bytes_per_s": 1e11,
                           "source": {"kind": "published", "reference": "r"}}]},
    "pipelines": {"alu": {}, "lsu": {}},
    "ops": {"ffma": {"pipeline": "alu", "issue": 2, "completion": 10,
                     "source": {"kind": "fitted", "reference": "r", "intervals": {"completion": [9, 12]}}},
            "global.load": {"pipeline": "lsu", "issue": 1}}
  })",
                          "d.json");
}

Interval interval(const std::string& name, const Device& device) {
  const auto parameters = parameters_of(device);
  return interval_of(*std::ranges::find(parameters, name, &TableParameter::name), device);
}

TEST(Intervals, AreThoseOfTheSourceElseThoseOfItsKind) {
  const Device device = device_with_sources();
  EXPECT_EQ(interval("ffma.completion", device).low, 9);
  EXPECT_EQ(interval("ffma.completion", device).high, 12);
  EXPECT_DOUBLE_EQ(interval("ffma.issue", device).high, 2 * std::exp(0.03));              // fitted
  EXPECT_DOUBLE_EQ(interval("dram.latency_s", device).low, 5e-7 * std::exp(-0.10));       // published
  EXPECT_DOUBLE_EQ(interval("group_launch_latency", device).high, 100 * std::exp(0.20));  // no source
  EXPECT_EQ(interval("clock_hz", device).low, 1e9);                                       // said to be exact
}

TEST(Intervals, OfAnotherNumberThanItHeldForDoNotHold) {
  Device device = device_with_sources();
  device.ops[0].completion.points.front().second = 20;
  EXPECT_DOUBLE_EQ(interval("ffma.completion", device).high, 20 * std::exp(0.03));
}

TEST(Intervals, OfAGivenNumberIsTheNumber) {
  Device device = device_with_sources();
  EXPECT_FALSE(has_given_numbers(device));
  device.sources["group_launch_latency"] = Source{SourceKind::Given, "r", "", {}, {}};
  EXPECT_TRUE(has_given_numbers(device)) << "one is enough";
  EXPECT_EQ(interval("group_launch_latency", device).low, 100);
  EXPECT_EQ(interval("group_launch_latency", device).high, 100);
}

TEST(AtPace, PutsLatenciesLowAndRatesHighWhereItIsFast) {
  const Device device = device_with_sources();
  const Device fast = at_pace(device, Pace::Fast), slow = at_pace(device, Pace::Slow);
  EXPECT_EQ(fast.ops[0].completion.points.front().second, 9);
  EXPECT_EQ(slow.ops[0].completion.points.front().second, 12);
  EXPECT_DOUBLE_EQ(fast.memory->levels[0].read_rate->count, 1e11 * std::exp(0.10));
  EXPECT_DOUBLE_EQ(slow.memory->levels[0].read_rate->count, 1e11 * std::exp(-0.10));
}

}  // namespace
}  // namespace warpipe
