#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace warpipe {
namespace {

using Matrix = std::vector<Vector>;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Takes the part along a direction of length 1 out of a vector, twice because of rounding.
/// @return the length of the part
double take_out(const Vector& direction, Vector& vector) {
  double all = 0;
  for (int round = 0; round < 2; ++round) {
    const double along = dot(direction, vector);
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= along * direction[i];
    all += along;
  }
  return all;
}

/// Turns the axes p and q for a 0 there in the matrix; `axes` keeps the turned axes as its columns.
void rotate(Matrix& matrix, Matrix& axes, std::size_t p, std::size_t q) {
  const double theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
  const double tangent = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1)), theta);
  const double cosine = 1 / std::hypot(tangent, 1);
  const double sine = tangent * cosine;
  const auto turn = [&](double& at_p, double& at_q) {
    const double old_p = at_p;
    at_p = cosine * old_p - sine * at_q;
    at_q = sine * old_p + cosine * at_q;
  };
  for (Vector& row : matrix) turn(row[p], row[q]);
  for (std::size_t k = 0; k < matrix.size(); ++k) turn(matrix[p][k], matrix[q][k]);
  for (Vector& row : axes) turn(row[p], row[q]);
  matrix[p][q] = matrix[q][p] = 0;
}

/// Makes a symmetric matrix diagonal: its eigenvalues.
/// @return the eigenvectors as columns
Matrix diagonalize(Matrix& matrix) {
  constexpr int kMostSweeps = 60;  // a handful is enough
  const std::size_t size = matrix.size();
  Matrix axes(size, Vector(size));
  for (std::size_t i = 0; i < size; ++i) axes[i][i] = 1;
  bool is_diagonal = false;
  for (int sweep = 0; sweep < kMostSweeps && !is_diagonal; ++sweep) {
    is_diagonal = true;
    for (std::size_t p = 0; p < size; ++p)
      for (std::size_t q = p + 1; q < size; ++q) {
        const double both = std::sqrt(std::abs(matrix[p][p] * matrix[q][q]));
        if (std::abs(matrix[p][q]) <= kEpsilon * kEpsilon * both) continue;
        is_diagonal = false;
        rotate(matrix, axes, p, q);
      }
  }
  return axes;
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr int kMostTerms = 10000;
  constexpr double kTiny = 1e-300;
  const auto away_from_0 = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / away_from_0(1 - (a + b) * x / (a + 1));
  double result = d;
  for (int m = 1; m <= kMostTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double factor = 1;
    for (const double term : {even, odd}) {
      d = 1 / away_from_0(1 + term * d);
      c = away_from_0(1 + term / c);
      factor = c * d;
      result *= factor;
    }
    if (std::abs(factor - 1) <= kEpsilon) break;
  }
  return result;
}

/// The regularized incomplete beta function.
double incomplete_beta(double a, double b, double x) {
  const double logarithm = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  if (x < (a + 1) / (a + b + 2)) return std::exp(logarithm) * beta_fraction(a, b, x) / a;
  return 1 - std::exp(logarithm) * beta_fraction(b, a, 1 - x) / b;
}

/// The probability that Student's t is more than a number above 0.
double student_t_tail(double t, double freedom) {
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
}

}  // namespace

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

double norm(const Vector& a) { return std::sqrt(dot(a, a)); }

std::optional<Vector> least_squares(std::vector<Vector> columns, Vector right) {
  constexpr double kParallel = 4 * kEpsilon;  // the rest of a column dependent on the columns before it
  const std::size_t unknowns = columns.size();
  std::vector<std::size_t> order(unknowns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Matrix triangle(unknowns, Vector(unknowns));
  Vector projections(unknowns);
  double longest = 0;
  for (std::size_t k = 0; k < unknowns; ++k) {
    const auto next = std::ranges::max_element(order.begin() + static_cast<std::ptrdiff_t>(k), order.end(), {},
                                               [&](std::size_t j) { return norm(columns[j]); });
    std::iter_swap(order.begin() + static_cast<std::ptrdiff_t>(k), next);
    Vector& column = columns[order[k]];
    const double length = norm(column);
    longest = std::max(longest, length);
    if (!(length > kParallel * longest)) return std::nullopt;
    for (double& each : column) each /= length;
    triangle[order[k]][k] = length;
    projections[k] = take_out(column, right);
    for (std::size_t later = k + 1; later < unknowns; ++later)
      triangle[order[later]][k] = take_out(column, columns[order[later]]);
  }
  Vector result(unknowns);
  for (std::size_t k = unknowns; k-- > 0;) {
    double rest = projections[k];
    for (std::size_t later = k + 1; later < unknowns; ++later) rest -= triangle[order[later]][k] * result[order[later]];
    result[order[k]] = rest / triangle[order[k]][k];
  }
  return result;
}

std::vector<Vector> inverse_of_symmetric(std::vector<Vector> matrix, double least) {
  const Matrix axes = diagonalize(matrix);
  const std::size_t size = matrix.size();
  Matrix inverse(size, Vector(size));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      for (std::size_t k = 0; k < size; ++k) inverse[i][j] += axes[i][k] * axes[j][k] / std::max(matrix[k][k], least);
  return inverse;
}

double student_t_quantile(double tail, double freedom) {
  double above = 1;
  while (student_t_tail(above, freedom) > tail) above *= 2;
  double below = 0;
  for (;;) {  // until no number lies between
    const double middle = below + (above - below) / 2;
    if (middle <= below || middle >= above) return middle;
    (student_t_tail(middle, freedom) > tail ? below : above) = middle;
  }
}

}  // namespace warpipe
