#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "fit_rows.hpp"
#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

/// Numbers of a table, each set by the rows measured for it.

namespace warpipe {

inline constexpr double kProbeError = 0.01;  ///< standard deviation of a row and of its prediction by the model
inline constexpr double kSideStep =
    0.05;  ///< of the logarithm of a number; longer than the steps of a rate in whole ticks
inline const double kFarthestFit = std::log(64.0);  ///< of the logarithm of a number, from where the table has it

/// A number and the rows measured for it.
struct Probed {
  TableParameter parameter;
  std::vector<std::size_t> rows;
  double start = 0;  ///< the table's value
};

/// Sets numbers so that the rows measured for them are predicted as measured.
class ProbeFit {
 public:
  /// @param rows   outlives the fit
  /// @param start  the table with all of these numbers in it
  ProbeFit(const FitRows& rows, std::vector<Probed> numbers, Device start)
      : rows_(rows), numbers_(std::move(numbers)), device_(std::move(start)) {}

  const Device& device() const { return device_; }
  const std::vector<Probed>& numbers() const { return numbers_; }
  std::size_t simulations() const { return simulations_; }

  /// Solves for one number after the other until all of them rest.
  void settle(const Progress& progress);

  /// Gives a number its value in the table back, and leaves it out from now on.
  void give_up(std::size_t index);
  /// Leaves a number out from now on, where it is.
  void leave(std::size_t index) { numbers_.erase(numbers_.begin() + static_cast<std::ptrdiff_t>(index)); }

  /// @return whether the rows for a number are farther from their measurements with the table's value than with the
  ///         fitted value, by more than the errors of rows explain
  bool contradicts_start(std::size_t index);

 private:
  struct End {
    double logarithm, miss;
  };

  std::size_t most_simulations() const;
  double miss(const Probed& number, double logarithm);
  double miss_now(const Probed& number);
  double solve(const Probed& number);
  double root(const Probed& number, double from);
  void center(const Probed& number);
  double reach(const Probed& number, double at, double here, double way);
  double between(const Probed& number, double aim, End a, End b);

  const FitRows& rows_;
  std::vector<Probed> numbers_;
  Device device_;
  std::size_t simulations_ = 0, done_ = 0;
};

}  // namespace warpipe
