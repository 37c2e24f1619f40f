#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "measured_sets.hpp"

/// The errors of predictions, summed up by kernel and device.

namespace warpipe::validation {

/// Errors in percent of the measured time, positive where a prediction is too slow.
struct KernelErrors {
  std::string kernel, device;
  std::size_t rows = 0, failed = 0;  ///< all rows, and rows without a prediction
  double sum = 0, absolute_sum = 0;  ///< of rows with a prediction

  void add(double percent) {
    sum += percent;
    absolute_sum += std::abs(percent);
  }
  double bias_percent() const { return sum / static_cast<double>(rows - failed); }
  double mean_absolute_percent() const { return absolute_sum / static_cast<double>(rows - failed); }
};

/// @return the errors of each kernel on each device of the set, in the order of first appearance
std::vector<KernelErrors> errors_by_kernel(const MeasuredSet& set, const std::vector<PredictedCells>& predicted);

/// The same of predictions/SET.csv.
std::vector<KernelErrors> errors_of_committed(const std::string& set);

/// @return the text of errors.csv, of the committed predictions of all sets: the page of all devices shows it
std::string errors_csv();

/// @param before, after  predictions of all rows of the set
/// @return               a line for each kernel and device: the mean absolute error before and after
std::string error_changes(const MeasuredSet& set, const std::vector<PredictedCells>& before,
                          const std::vector<PredictedCells>& after);

}  // namespace warpipe::validation
