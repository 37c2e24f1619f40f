#pragma once

#include <cstddef>
#include <vector>

#include "fit_rows.hpp"
#include "statistics.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

namespace warpipe {

/// Derivatives of the rows' errors by the logarithm of a value: 1 where a row's time goes with the value.
Vector slopes(const FitRows& rows, const Device& device, const TableParameter& parameter);

/// The covariance of the logarithms of fitted values, from the slopes and the size of the errors.
class Covariance {
 public:
  /// @param slopes     of each value, over all fitted rows; none of them all 0
  /// @param deviation  of the relative error of a row
  Covariance(const std::vector<Vector>& slopes, double deviation);

  /// Standard deviation of a value's logarithm.
  double deviation(std::size_t value) const;

  /// The value whose error goes most with the error of a value; a single value is its own partner.
  std::size_t partner_of(std::size_t value) const;

 private:
  Vector lengths_;
  double deviation_;
  std::vector<Vector> inverse_;
};

}  // namespace warpipe
