#pragma once

#include <vector>

#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/predict/settle_launch.hpp"

namespace warpipe {

/// Measured rows on one device, ready to be predicted again and again while numbers of its table change. Everything
/// independent of these numbers is settled once.
class FitRows {
 public:
  /// @param kernels  called once for each name
  /// @param threads  at most so many rows at a time; never changes a result
  /// @throws Error with all problems that keep rows from a prediction
  FitRows(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels, const Device& device,
          const LaunchOptions& options, std::size_t threads);

  std::size_t size() const { return rows_.size(); }
  const Measurement& measurement(std::size_t row) const { return rows_[row].measurement; }
  const Kernel& kernel(std::size_t row) const { return rows_[row].settled.kernel; }
  const Launch& launch(std::size_t row) const { return rows_[row].settled.launch; }

  /// @return the row as the engine simulates it
  Program program(std::size_t row, const Device& variant) const;

  /// Simulates all rows.
  /// @param variant  the device with other numbers in its table
  /// @return         relative errors of the predicted times: 0.1 is ten percent too slow
  /// @throws Error as lower and run do
  std::vector<double> errors(const Device& variant) const;
  double error(std::size_t row, const Device& variant) const;  ///< of a single row

 private:
  struct Row {
    Measurement measurement;
    SettledLaunch settled;  ///< with the row's parameters; no fit changes a device in the eyes of its caches
  };

  Device with_launch_options(const Device& variant) const;
  Program lowered(const Row& row, const Device& variant) const;
  /// The variant at the clock of the row's kernel, where the clocks differ.
  std::optional<Device> slower(const Row& row, const Device& variant) const;
  double error(const Row& row, const Device& variant) const;

  LaunchOptions options_;
  std::size_t threads_;
  std::vector<Row> rows_;
};

}  // namespace warpipe
