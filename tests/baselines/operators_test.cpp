#include "warpipe/baselines/operators.hpp"

#include <gtest/gtest.h>

namespace warpipe {
namespace {

TEST(MatrixMultiplyCost, IsTwoMnkOperationsOverThreeMatrices) {
  // 8192 x 128 by 128 x 8192, two bytes an element: 2 x 128 x 8192^2 over 2 (2 x 128 x 8192 + 8192^2): 124.1
  const OperatorCost cost = cost_of(MatrixMultiply{8192, 8192, 128, 1, 2, 1, 1});
  EXPECT_DOUBLE_EQ(cost.operations, 2.0 * 8192 * 8192 * 128);
  EXPECT_DOUBLE_EQ(cost.bytes, 2.0 * (8192 * 128 + 128 * 8192 + 8192.0 * 8192));
  EXPECT_NEAR(intensity(cost), 124.1, 0.05);
  // square of n: 2 n^3 / (3 n^2 x 2) = n / 3
  EXPECT_DOUBLE_EQ(intensity(cost_of(MatrixMultiply{8192, 8192, 8192, 1, 2, 1, 1})), 8192 / 3.0);
}

TEST(MatrixMultiplyCost, OperandsReadAgainCountAgain) {
  EXPECT_DOUBLE_EQ(cost_of(MatrixMultiply{2, 3, 4, 5, 4, 10, 100}).bytes, 5 * 4 * (10.0 * 8 + 100.0 * 12 + 6));
}

TEST(ConvolutionSize, FollowsStridePaddingAndDilation) {
  EXPECT_EQ(output_size({224, 7, 2, 3, 1}), 112);  // first layer of ResNet
  EXPECT_EQ(output_size({56, 3, 1, 1, 1}), 56);
  EXPECT_EQ(output_size({28, 3, 1, 2, 2}), 28);  // dilated by two: reaches over five
  EXPECT_EQ(output_size({4, 3, 1, 0, 2}), 0);    // five do not fit into four
  EXPECT_EQ(output_size({5, 5, 3, 0, 1}), 1);
}

TEST(ConvolutionCost, OfResNetsFirstLayerIs118MillionMultiplyAdds) {
  Convolution layer;
  layer.channels = 3;
  layer.filters = 64;
  layer.height = layer.width = {224, 7, 2, 3, 1};
  // 112 x 112 x 64 outputs of 3 x 7 x 7 products
  EXPECT_DOUBLE_EQ(cost_of(layer).operations, 2.0 * 112 * 112 * 64 * 147);
  EXPECT_DOUBLE_EQ(cost_of(layer).bytes, 4.0 * (3 * 224 * 224 + 64 * 147 + 64 * 112 * 112));
}

TEST(ConvolutionCost, GroupsDivideProductsAndWeights) {
  Convolution depthwise;
  depthwise.batch = 2;
  depthwise.channels = depthwise.filters = depthwise.groups = 32;
  depthwise.height = depthwise.width = {56, 3, 1, 1, 1};
  depthwise.reread_input = 9;
  EXPECT_DOUBLE_EQ(cost_of(depthwise).operations, 2.0 * 2 * 32 * 56 * 56 * 9);
  EXPECT_DOUBLE_EQ(cost_of(depthwise).bytes, 4.0 * (9.0 * 2 * 32 * 56 * 56 + 32 * 9 + 2 * 32 * 56 * 56));
}

// A convolution of one point is a matrix multiply of (height x width) x filters x channels.
TEST(ConvolutionCost, OfOnePointIsAMatrixMultiply) {
  Convolution one;
  one.channels = 64;
  one.filters = 128;
  one.height = {14, 1, 1, 0, 1};
  one.width = {14, 1, 1, 0, 1};
  const OperatorCost matrix = cost_of(MatrixMultiply{196, 128, 64});
  EXPECT_DOUBLE_EQ(cost_of(one).operations, matrix.operations);
  EXPECT_DOUBLE_EQ(cost_of(one).bytes, matrix.bytes);
}

TEST(ElementWiseCost, IsOneRoundTripAnElement) {
  const OperatorCost add = cost_of(ElementWise{1000, 2, 1, 1, 4});
  EXPECT_DOUBLE_EQ(add.operations, 1000);
  EXPECT_DOUBLE_EQ(add.bytes, 12000);
  EXPECT_DOUBLE_EQ(intensity(add), 1 / 12.0);
}

TEST(ReductionCost, IsOneOperationForEachElementThatDisappears) {
  const OperatorCost sum = cost_of(Reduction{1024, 1, 1, 4});
  EXPECT_DOUBLE_EQ(sum.operations, 1023);
  EXPECT_DOUBLE_EQ(sum.bytes, 4100);
}

TEST(Intensity, OfNothingMovedIsNothing) { EXPECT_DOUBLE_EQ(intensity({10, 0}), 0); }

}  // namespace
}  // namespace warpipe
