#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "cached_models.hpp"
#include "small_models.hpp"
#include "warpipe/predict/predict.hpp"

/// Ranges of predicted times, against both ends by hand.

namespace warpipe {
namespace {

constexpr double kHalfOfTheSixthDigit = 0.005;  // of thousands

Prediction with_range(const Kernel& kernel, const Device& device, LaunchOptions options = {}) {
  options.range = true;
  return predict(kernel, device, options);
}

TimeRange range_of(const Kernel& kernel, const Device& device) { return *with_range(kernel, device).range; }

/// A device whose numbers are all known: only the model is off.
Device certain(Device device) {
  for (Op& op : device.ops) op.source = Source{SourceKind::Documented, "r", "", {}, {}};
  for (MemoryLevel& level : device.memory->levels) {
    level.source = Source{SourceKind::Documented, "r", "", {}, {}};
    if (level.bytes) continue;
    level.source->intervals["read_bytes_per_s"] = {level.read_rate->count, level.read_rate->count};
    level.source->intervals["latency_s"] = {level.latency_s.count, level.latency_s.count};
  }
  return device;
}

/// Each of the groups walks 56 KiB of the array, 128 bytes at a time, as often as it is told.
Kernel walk(std::int64_t kilobytes, const std::string& address) {
  Kernel kernel = kernel_with_array(
      fmt::format(
          R"({{"loop": "lap", "trip_count": 50, "body": [{{"loop": "step", "trip_count": {}, "body": [{}]}}]}})",
          8 * kilobytes, access("x", "global.load", address, R"(, "after": ["x"])")),
      1);
  return kernel;
}

TEST(TimeRange, IsThatOfTheNumbersAndOfTheModelInQuadrature) {
  const Device device =
      device_with({{"ffma", "a", 1, 10,
                    R"({"source": {"kind": "fitted", "reference": "r", "intervals": {"completion": [9, 12]}}})"}});
  const Kernel kernel =
      kernel_with(R"({"loop": "i", "trip_count": 100, "body": [{"id": "x", "op": "ffma", "after": ["x"]}]})");
  const Interval cycles = range_of(kernel, device).cycles;
  EXPECT_NEAR(cycles.low, 1000 * std::exp(-std::hypot(std::log(0.9), 0.03)), kHalfOfTheSixthDigit);
  EXPECT_NEAR(cycles.high, 1000 * std::exp(std::hypot(std::log(1.2), 0.03)), kHalfOfTheSixthDigit);
}

// The groups that were not looked at may issue a quarter more or less: a factor of 1.25 beside the 3 % of the model.
TEST(TimeRange, IsWiderWhereTheWorkOfGroupsIsUncertain) {
  const Device device =
      device_with({{"ffma", "a", 1, 10,
                    R"({"source": {"kind": "fitted", "reference": "r", "intervals": {"completion": [9, 12]}}})"}});
  Kernel kernel =
      kernel_with(R"({"loop": "i", "trip_count": 100, "body": [{"id": "x", "op": "ffma", "after": ["x"]}]})");
  kernel.kinds = GroupKinds{std::vector<GroupKinds::Run>{{0, 1}}, {}, 0.25};
  const Interval cycles = range_of(kernel, device).cycles;
  const double error = std::hypot(0.03, std::log(1.25));
  EXPECT_NEAR(cycles.low, 1000 * std::exp(-std::hypot(std::log(0.9), error)), kHalfOfTheSixthDigit);
  EXPECT_NEAR(cycles.high, 1000 * std::exp(std::hypot(std::log(1.2), error)), kHalfOfTheSixthDigit);
}

TEST(TimeRange, IsNotToldOfADeviceThatIsMadeUp) {
  const Kernel kernel = kernel_with(R"({"id": "x", "op": "ffma"})");
  Device device = device_with({{"ffma", "a", 1, 10}, {"fadd", "a", 1, 10}});
  EXPECT_TRUE(with_range(kernel, device).range);
  device.ops[1].source = Source{SourceKind::Given, "a study", "", {}, {}};  // of an op absent from the kernel
  const Prediction made_up = with_range(kernel, device);
  EXPECT_FALSE(made_up.range);
  EXPECT_THAT(made_up.warnings, testing::ElementsAre(testing::HasSubstr("no range")));
  EXPECT_THAT(predict(kernel, device, {}).warnings, testing::IsEmpty()) << "nobody asks";
}

// A launch at its bound has ends in proportion to its bound there, without a simulation.
TEST(TimeRange, OfALaunchThatTakesItsBoundIsThatOfTheBounds) {
  const Device device = device_with(
      {{"ffma", "a", 1, 30, R"({"source": {"kind": "fitted", "reference": "r", "intervals": {"issue": [1, 4]}}})"}});
  const Kernel kernel = kernel_with(
      R"({"loop": "i", "trip_count": 100, "body": [{"id": "x", "op": "ffma"}, {"id": "y", "op": "ffma", "after": ["x"]}]})",
      {.warps = 20});
  const Prediction prediction = with_range(kernel, device);
  const double ratio = ratio_to_bound(prediction), cycles = to_cycles(prediction.cycles).count;
  ASSERT_GT(ratio, 1.001);
  ASSERT_LT(ratio, 1.1);
  LaunchOptions slow;
  slow.set.push_back({"ffma.issue", 4});
  const Prediction end = predict(kernel, device, slow);
  ASSERT_LT(ratio_to_bound(end), ratio - 0.001);
  const double expected = to_cycles(end.bounds[end.limiter].cycles).count * ratio;
  EXPECT_NEAR(prediction.range->cycles.high, cycles * std::exp(std::hypot(std::log(expected / cycles), 0.03)), 0.05);
}

// Whatever the last digits of the C library's exponentials and logarithms.
TEST(TimeRange, HasSixDigitsAndTheTimeInIt) {
  const Prediction prediction = with_range(walk(1, "128 * step + 4 * lane"), device_with_caches());
  const auto expect_six_digits = [](double end) { EXPECT_EQ(std::stod(fmt::format("{:.5e}", end)), end); };
  const auto& [cycles, time, total_time] = *prediction.range;
  for (const Interval& range : {cycles, time, total_time}) {
    expect_six_digits(range.low);
    expect_six_digits(range.high);
  }
  EXPECT_LT(time.low, prediction.time.count);
  EXPECT_GT(time.high, prediction.time.count);
}

TEST(TimeRange, IsNotThereUnlessAskedFor) {
  EXPECT_FALSE(predict(walk(1, "128 * step + 4 * lane"), device_with_caches(), {}).range);
}

TEST(TimeRange, KnowsThatACacheMayKeepLessThanItHolds) {
  const Device device = certain(device_with_caches());
  const auto reach = [&](std::int64_t kilobytes) {
    const Prediction prediction = with_range(walk(kilobytes, "128 * step + 4 * lane"), device);
    return prediction.range->cycles.high / to_cycles(prediction.cycles).count;
  };
  EXPECT_LT(reach(40), 1.2);  // of 64 KiB: it stays in four fifths of them, too
  EXPECT_GT(reach(60), 1.5);  // it does not: 500 ns instead of 200
}

TEST(TimeRange, KnowsThatTheMemoryOpensPagesForScatteredSectors) {
  const Device device = certain(device_with_caches());
  LaunchOptions in_a_large_array;
  in_a_large_array.parameters["n"] = 1 << 22;
  const auto reach = [&](const std::string& word) {
    const std::string loads = fmt::format(R"({{"loop": "i", "trip_count": 64, "body": [{}]}})",
                                          access("x", "global.load", "4 * (" + word + ")"));
    const Prediction prediction = with_range(kernel_with_array(loads), device, in_a_large_array);
    EXPECT_EQ(limiter_name(prediction), "pipeline dram");
    return prediction.range->cycles.high / to_cycles(prediction.cycles).count;
  };
  EXPECT_LT(reach("32 * (64 * group + i) + lane"), 1.2);
  EXPECT_GT(reach("8 * (64 * group + i) + 65537 * lane"), 1.9);  // a sector of each of 32 lines
  // Two sectors of each of 16 lines, half of their bytes.
  EXPECT_GT(reach("32 * (64 * group + i) + 65536 * floor(lane / 2) + 8 * mod(lane, 2)"), 1.9);
}

TEST(TimeRange, OfSpillsIsAFactorOfTwo) {
  const Device device = certain(device_with_caches());
  Kernel kernel = walk(1, "128 * step + 4 * lane");
  const double before = range_of(kernel, device).cycles.high;
  kernel.arrays[0].thread_private = true;
  const Prediction prediction = with_range(kernel, device);
  EXPECT_LT(before, 1.2 * to_cycles(prediction.cycles).count);
  EXPECT_GT(prediction.range->cycles.high, 2 * to_cycles(prediction.cycles).count);
  EXPECT_LT(prediction.range->cycles.low, to_cycles(prediction.cycles).count / 2);
}

}  // namespace
}  // namespace warpipe
