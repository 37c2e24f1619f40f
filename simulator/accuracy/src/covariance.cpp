#include "covariance.hpp"

#include <cmath>
#include <utility>

namespace warpipe {
namespace {

constexpr double kSlopeStep = 0.02;        // of the logarithm of a value
constexpr double kLeastEigenvalue = 1e-9;  // below it, directions are the same

}  // namespace

Vector slopes(const FitRows& rows, const Device& device, const TableParameter& parameter) {
  const double value = value_of(parameter, device);
  const auto errors_at = [&](double step) {
    Device changed = device;
    set_value(parameter, value * std::exp(step), changed);
    return rows.errors(changed);
  };
  const auto above = errors_at(kSlopeStep), below = errors_at(-kSlopeStep);
  Vector result(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) result[i] = (above[i] - below[i]) / (2 * kSlopeStep);
  return result;
}

Covariance::Covariance(const std::vector<Vector>& slopes, double deviation) : deviation_(deviation) {
  for (const Vector& column : slopes) lengths_.push_back(norm(column));
  std::vector<Vector> cosines(slopes.size(), Vector(slopes.size()));
  for (std::size_t j = 0; j < slopes.size(); ++j)
    for (std::size_t k = 0; k < slopes.size(); ++k)
      cosines[j][k] = dot(slopes[j], slopes[k]) / (lengths_[j] * lengths_[k]);
  inverse_ = inverse_of_symmetric(std::move(cosines), kLeastEigenvalue);
}

double Covariance::deviation(std::size_t value) const {
  return deviation_ / lengths_[value] * std::sqrt(inverse_[value][value]);
}

std::size_t Covariance::partner_of(std::size_t value) const {
  std::size_t partner = value;
  double most = -1;
  for (std::size_t k = 0; k < inverse_.size(); ++k) {
    const double correlation = std::abs(inverse_[value][k]) / std::sqrt(inverse_[k][k]);
    if (k == value || correlation <= most) continue;
    partner = k;
    most = correlation;
  }
  return partner;
}

}  // namespace warpipe
