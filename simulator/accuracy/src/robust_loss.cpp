#include "robust_loss.hpp"

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

double mean_absolute(const std::vector<double>& errors) {
  double sum = 0;
  for (const double error : errors) sum += std::abs(error);
  return sum / static_cast<double>(errors.size());
}

double scale(const std::vector<double>& errors, std::size_t parameters) {
  assert(errors.size() > parameters);
  const auto rows = static_cast<double>(errors.size());
  const double freedom = rows / (rows - static_cast<double>(parameters));
  return std::max(kLeastScale, 1.3 * mean_absolute(errors) * std::sqrt(freedom));
}

}  // namespace warpipe
