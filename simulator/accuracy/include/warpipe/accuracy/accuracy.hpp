#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/predict/predict.hpp"
#include "warpipe/sweep/sweep.hpp"

/// Predictions held against measurements.

namespace warpipe {

/// The measured quantity of a row.
enum class Quantity { Cycles, TimeUs, BandwidthGbps, Gflops };
std::string to_string(Quantity quantity);  ///< the column's name: "cycles", "time_us", "bandwidth_gbps", "gflops"

/// A row of a measured CSV.
struct Measurement {
  std::size_t line = 0;  ///< of the file, from 1
  std::string kernel, device;
  LaunchOptions options;                        ///< group size, groups, concurrent groups, parameters
  std::optional<std::int64_t> occupancy_warps;  ///< a whole number of groups; settled when the kernel is known
  Quantity quantity = Quantity::Cycles;
  double value = 0;                ///< > 0
  bool includes_overhead = false;  ///< a time with the launch overhead, no shorter than the launch interval
  std::string source;
  std::vector<std::string> fits{};  ///< numbers of the table probed by the row, as parse_fit names them
};

/// The rows to take, and the names in place of missing columns.
struct MeasurementFilter {
  std::optional<std::string> kernel, device;
  std::optional<std::string> device_of_no_column = {};  ///< only stands for the column; rows of any device are taken
};

/// Reads measured data (RFC 4180, a header line, blanks around cells ignored).
/// @throws InputError for a missing or repeated column, none or two quantities, an invalid row (with its line), and no
///                    row left; all problems at once, the first 20 of them in full
/// @source formats, "Measured data"
std::vector<Measurement> read_measurements_csv(std::string_view text, const std::string& file,
                                               const MeasurementFilter& filter);

/// A measurement with its prediction, in the measured quantity.
struct Comparison {
  Measurement measurement;
  std::optional<double> predicted;
  std::optional<double> bound_only;                     ///< the same from the highest bound alone, the baseline to beat
  std::string error;                                    ///< where there is no prediction
  std::optional<Seconds> measured_time = std::nullopt;  ///< nothing where there is no prediction
  std::optional<Interval> range = std::nullopt;         ///< of the prediction, where the options ask for it
};

/// @return (predicted - measured) / measured in percent of the measured time; a bandwidth or a rate is turned into
///         a time first, so that too slow is always positive
double error_percent(Quantity quantity, double predicted, double measured);

/// The errors of the rows of one kernel on one device, in percent of the measured time; all 0 where every row failed.
struct ErrorSummary {
  std::string kernel, device;
  std::size_t rows = 0;    ///< all of them
  std::size_t failed = 0;  ///< rows without a prediction; they take no part in the errors
  double mean_absolute_percent = 0;
  double standard_deviation_percent = 0;  ///< of the signed errors around the bias, as of a whole population
  double bias_percent = 0;                ///< mean of the signed errors
  double worst_percent = 0;               ///< signed; the largest by absolute value, the first of equals
  std::size_t worst_line = 0;
};

/// Sums up one of the two predictions of rows.
/// @return a summary per (kernel, device), in order of first appearance
std::vector<ErrorSummary> summarize(const std::vector<Comparison>& rows, std::optional<double> Comparison::*said);

struct Accuracy {
  std::vector<Comparison> rows;          ///< in the order of the file
  std::vector<ErrorSummary> predicted;   ///< per (kernel, device), in order of first appearance
  std::vector<ErrorSummary> bound_only;  ///< the same groups, the same order
};

/// Finds a kernel or a device by its name in a CSV.
template <class T>
using Lookup = std::function<T(const std::string& name)>;

/// Rows to predict, each a pure function of its index. Rows without a prediction, and rows of an unknown kernel or
/// device, say why.
class ComparisonStudy {
 public:
  /// A lookup is called once for each name, here.
  /// @param measurements  live as long as this
  /// @param options       launch options for all rows; a row's own values replace the values given here
  ComparisonStudy(std::span<const Measurement> measurements, const Lookup<Kernel>& kernels,
                  const Lookup<Device>& devices, const LaunchOptions& options);
  ~ComparisonStudy();
  ComparisonStudy(const ComparisonStudy&) = delete;
  ComparisonStudy& operator=(const ComparisonStudy&) = delete;

  std::size_t size() const { return measurements_.size(); }
  /// May be called from several threads.
  /// @throws GateError where two engines disagree: no result is to be trusted
  Comparison at(std::size_t index) const;

 private:
  std::span<const Measurement> measurements_;
  LaunchOptions options_;
  std::unique_ptr<const struct FoundInputs> found_;
};

/// Predicts rows and hands over each as soon as all before it are.
/// @param threads  at most so many at a time; 0: all cores; never changes what is handed over, nor the order
/// @param take     called from any thread, one call at a time, in the order of the rows
void for_each_comparison(std::span<const Measurement> measurements, const Lookup<Kernel>& kernels,
                         const Lookup<Device>& devices, const LaunchOptions& options, std::size_t threads,
                         const std::function<void(Comparison row)>& take);

/// Finds the times of the measured runs, for rows with predictions read back from a file, since the file lacks them.
/// @param options  of the predictions
void find_measured_times(std::span<Comparison> rows, const Lookup<Kernel>& kernels, const Lookup<Device>& devices,
                         const LaunchOptions& options);

/// Sums up the errors. Rows without a prediction are counted, never dropped.
Accuracy sum_up(std::vector<Comparison> rows);

/// Predicts every row, as for_each_comparison, and sums up the errors.
Accuracy score(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels,
               const Lookup<Device>& devices, const LaunchOptions& options, std::size_t threads,
               const Progress& progress = {});

}  // namespace warpipe
