#include "robust.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace warpipe {
namespace {

constexpr double kBorder = 0.02;
constexpr double kLeastScale = 0.005;

double stretch(double error) { return std::sqrt(1 + (error / kBorder) * (error / kBorder)); }

}  // namespace

double loss(const std::vector<double>& errors) {
  double sum = 0;
  for (const double error : errors) sum += kBorder * kBorder * (stretch(error) - 1);
  return sum;
}

double scale(const std::vector<double>& errors, std::size_t parameters) {
  assert(errors.size() > parameters);
  double squares_of_pull = 0, curvature = 0;  // of the first and the second derivative of the loss
  for (const double error : errors) {
    squares_of_pull += error * error / (stretch(error) * stretch(error));
    curvature += 1 / std::pow(stretch(error), 3);
  }
  const auto rows = static_cast<double>(errors.size());
  const double variance = squares_of_pull / (rows - static_cast<double>(parameters));
  return std::max(kLeastScale, std::sqrt(variance) / (curvature / rows));
}

}  // namespace warpipe
