#include "warpipe/latency_tables/device.hpp"

#include <gtest/gtest.h>

#include "example_device.hpp"

namespace warpipe {
namespace {

const Latency kMeasured{{{1, 400.0}, {16, 430.0}, {64, 900.0}}};

TEST(LatencyAt, OnePointIsAConstant) {
  EXPECT_EQ(latency_at({{{8, 12.5}}}, 1).count, 12.5);
  EXPECT_EQ(latency_at({{{8, 12.5}}}, 8).count, 12.5);
  EXPECT_EQ(latency_at({{{8, 12.5}}}, 100).count, 12.5);
}

TEST(LatencyAt, IsConstantOutsideThePoints) {
  const Latency from_four{{{4, 10.0}, {8, 20.0}}};
  EXPECT_EQ(latency_at(from_four, 1).count, 10.0);
  EXPECT_EQ(latency_at(from_four, 3).count, 10.0);
  EXPECT_EQ(latency_at(from_four, 9).count, 20.0);
  EXPECT_EQ(latency_at(from_four, kLargestWhole).count, 20.0);
}

TEST(LatencyAt, MeetsEveryPoint) {
  EXPECT_EQ(latency_at(kMeasured, 1).count, 400.0);
  EXPECT_EQ(latency_at(kMeasured, 16).count, 430.0);
  EXPECT_EQ(latency_at(kMeasured, 64).count, 900.0);
  // To the last digit: reckoned from the point before, 0.2 + 0.7 * 2 / 2 is 0.8999999999999999 in doubles.
  EXPECT_EQ(latency_at({{{1, 0.2}, {3, 0.9}, {5, 1.0}}}, 3).count, 0.9);
}

TEST(LatencyAt, InterpolatesBetweenTheTwoNearestPoints) {
  EXPECT_EQ(latency_at(kMeasured, 6).count, 410.0);   // 400 + 30 * 5 / 15
  EXPECT_EQ(latency_at(kMeasured, 40).count, 665.0);  // 430 + 470 * 24 / 48
  const Latency falling{{{2, 9.0}, {10, 1.0}}};
  EXPECT_EQ(latency_at(falling, 5).count, 6.0);  // 9 - 8 * 3 / 8
}

TEST(LatencyAt, MultipliesBeforeItDivides) {
  // 0.1 * 3 is 0.30000000000000004 in doubles; divided by 10 it gives 0.030000000000000006, whereas 3 / 10 first gives
  // 0.1 * 0.3 = 0.03.
  const Latency tenth{{{1, 0.0}, {11, 0.1}}};
  EXPECT_EQ(latency_at(tenth, 4).count, 0.1 * 3.0 / 10.0);
  EXPECT_NE(latency_at(tenth, 4).count, 0.1 * (3.0 / 10.0));
}

TEST(Device, FindsAnOpByItsName) {
  const Device device = example_device();
  ASSERT_NE(device.find_op("ffma"), nullptr);
  EXPECT_EQ(device.find_op("ffma")->name, "ffma");
  EXPECT_EQ(device.find_op("ffm"), nullptr);
  EXPECT_EQ(device.find_op("convert.64"), nullptr) << "the example converts nothing";
  EXPECT_EQ(device.find_op(""), nullptr);
}

TEST(Op, TakesAFactorWhereItOrAFurtherPipelineHasTheIncrement) {
  Op op;
  EXPECT_FALSE(takes_conflict_degree(op));
  EXPECT_FALSE(takes_transactions(op));

  op.per_conflict = Increment{};  // written, though it adds nothing
  EXPECT_TRUE(takes_conflict_degree(op));
  EXPECT_FALSE(takes_transactions(op));

  op.per_conflict.reset();
  op.then.resize(2);
  op.then[1].per_transaction = Cycles{0.5};
  EXPECT_FALSE(takes_conflict_degree(op));
  EXPECT_TRUE(takes_transactions(op));
  op.then[0].per_conflict = Cycles{2};
  EXPECT_TRUE(takes_conflict_degree(op));
}

TEST(SourceKind, HasTheNameOfTheFormat) {
  EXPECT_EQ(to_string(SourceKind::Measured), "measured");
  EXPECT_EQ(to_string(SourceKind::Documented), "documented");
  EXPECT_EQ(to_string(SourceKind::Published), "published");
  EXPECT_EQ(to_string(SourceKind::Simulator), "simulator");
  EXPECT_EQ(to_string(SourceKind::Derived), "derived");
  EXPECT_EQ(to_string(SourceKind::Estimated), "estimated");
  EXPECT_EQ(to_string(SourceKind::Fitted), "fitted");
  EXPECT_EQ(to_string(SourceKind::Carried), "carried");
}

}  // namespace
}  // namespace warpipe
