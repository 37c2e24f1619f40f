#include "statistics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace warpipe {
namespace {

// Any table of Student's t has these.
TEST(Statistics, QuantilesOfStudentsTAreThoseOfTheTables) {
  EXPECT_NEAR(student_t_quantile(0.25, 1), 1, 1e-12);  // Cauchy's distribution: tan(pi (1/2 - tail))
  EXPECT_NEAR(student_t_quantile(0.005, 1), 63.656741162871583, 1e-9);
  EXPECT_NEAR(student_t_quantile(0.025, 2), 4.302652729749464, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.005, 5), 4.032142983555228, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.005, 10), 3.169272672616833, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.025, 30), 2.042272456301238, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.0005, 120), 3.373453769235904, 1e-9);
  EXPECT_NEAR(student_t_quantile(0.025, 1e6), 1.959963984540054, 1e-5);  // nearly the normal distribution
}

TEST(Statistics, LeastSquaresOfALineAreThoseOfTheTextbook) {
  // y = 1, 3, 4, 4 at x = 0, 1, 2, 3: slope 1, intercept 1.5.
  const auto solution = least_squares({{1, 1, 1, 1}, {0, 1, 2, 3}}, {1, 3, 4, 4});
  ASSERT_TRUE(solution);
  EXPECT_NEAR((*solution)[0], 1.5, 1e-14);
  EXPECT_NEAR((*solution)[1], 1, 1e-14);
}

TEST(Statistics, LeastSquaresLeaveNothingOpen) {
  EXPECT_FALSE(least_squares({{1, 2, 3}, {2, 4, 6}}, {1, 1, 1}));
  EXPECT_FALSE(least_squares({{0.1, 0.7, 0.3}, {0.3, 2.1, 0.9}}, {1, 1, 1}));  // parallel but for rounding
  EXPECT_FALSE(least_squares({{0, 0}}, {1, 1}));
  EXPECT_FALSE(least_squares({{1, 0}, {0, 1}, {1, 1}}, {1, 1}));
}

/// Numbers from -1 to 1.
rc::Gen<Vector> vectors(std::size_t size) {
  return rc::gen::container<Vector>(size,
                                    rc::gen::map(rc::gen::inRange(-1000, 1001), [](int n) { return n / 1000.0; }));
}

RC_GTEST_PROP(Statistics, TheRestOfLeastSquaresIsAtRightAnglesToEachColumn, ()) {
  const auto unknowns = *rc::gen::inRange<std::size_t>(1, 5);
  const auto columns = *rc::gen::container<std::vector<Vector>>(unknowns, vectors(8));
  const Vector right = *vectors(8);
  const auto solution = least_squares(columns, right);
  if (!solution) return;
  Vector rest = right;
  double largest = 1;
  for (std::size_t j = 0; j < unknowns; ++j) {
    largest = std::max(largest, std::abs((*solution)[j]));
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= (*solution)[j] * columns[j][i];
  }
  for (const Vector& column : columns) RC_ASSERT(std::abs(dot(column, rest)) < 1e-12 * largest);
}

RC_GTEST_PROP(Statistics, ASymmetricMatrixTimesItsInverseIsOne, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 8);
  const auto factors = *rc::gen::container<std::vector<Vector>>(size, vectors(size));
  std::vector<Vector> matrix(size, Vector(size));  // factors x factors^T + 1: its eigenvalues are at least 1
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) matrix[i][j] = dot(factors[i], factors[j]) + (i == j ? 1 : 0);
  const auto inverse = inverse_of_symmetric(matrix, 1e-9);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) RC_ASSERT(std::abs(dot(matrix[i], inverse[j]) - (i == j ? 1 : 0)) < 1e-12);
}

TEST(Statistics, SmallEigenvaluesAreRaised) {
  const auto inverse = inverse_of_symmetric({{1, 1}, {1, 1}}, 0.5);  // eigenvalues 2 and 0
  EXPECT_NEAR(inverse[0][0], 0.25 + 1, 1e-14);
  EXPECT_NEAR(inverse[0][1], 0.25 - 1, 1e-14);
}

}  // namespace
}  // namespace warpipe
