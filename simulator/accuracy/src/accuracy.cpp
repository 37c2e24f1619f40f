#include "warpipe/accuracy/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "warpipe/accuracy/measured_row.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/parallel/loops.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {

/// The kernels or the devices of all rows, each looked up once; the error where there is none.
template <class T>
class FoundByName {
 public:
  FoundByName(const Lookup<T>& lookup, std::span<const Measurement> measurements, std::string Measurement::*name) {
    for (const Measurement& measurement : measurements) {
      const std::string& wanted = measurement.*name;
      if (!by_name_.contains(wanted)) by_name_.emplace(wanted, look_up(lookup, wanted));
    }
  }

  /// @throws ModelError with the problems of the lookup
  const T& at(const std::string& name) const {
    const auto& found = by_name_.at(name);
    if (const auto* problems = std::get_if<std::vector<Diagnostic>>(&found)) throw ModelError(*problems);
    return std::get<T>(found);
  }

 private:
  using Outcome = std::variant<T, std::vector<Diagnostic>>;

  static Outcome look_up(const Lookup<T>& lookup, const std::string& name) {
    try {
      return lookup(name);
    } catch (const Error& error) {
      return error.diagnostics();
    }
  }

  std::map<std::string, Outcome, std::less<>> by_name_;
};

/// The kernels and devices named by the rows of a study.
struct FoundInputs {
  FoundByName<Kernel> kernels;
  FoundByName<Device> devices;
};

namespace {

/// @throws Error where the row cannot be predicted
void predict_row(Comparison& row, const Kernel& kernel, const Device& device, const LaunchOptions& options) {
  const Measurement& measurement = row.measurement;
  const Prediction prediction = predict(lower_launch(kernel, device, options_of(measurement, kernel, device, options)));
  const auto said = [&](Ticks cycles) {
    return in_quantity(measurement, prediction.launch, prediction.clock, device, cycles);
  };
  row.predicted = said(prediction.cycles);
  row.measured_time = measured_time(measurement, prediction.launch, prediction.clock);
  row.range = range_in_quantity(measurement, prediction, device);
  if (!row.predicted) row.error = "the predicted run takes no time, so it has no rate";
  if (!prediction.bounds.empty()) row.bound_only = said(prediction.bounds[prediction.limiter].cycles);
}

/// The rows of a kernel on a device.
struct Group {
  std::string kernel, device;
  std::vector<const Comparison*> rows;
};

std::vector<Group> groups_of(const std::vector<Comparison>& rows) {
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> index_of;
  for (const Comparison& row : rows) {
    const Measurement& measurement = row.measurement;
    const auto [place, is_new] = index_of.try_emplace({measurement.kernel, measurement.device}, groups.size());
    if (is_new) groups.push_back({measurement.kernel, measurement.device, {}});
    groups[place->second].rows.push_back(&row);
  }
  return groups;
}

ErrorSummary summary_of(const Group& group, std::optional<double> Comparison::*said) {
  ErrorSummary summary{.kernel = group.kernel, .device = group.device, .rows = group.rows.size()};
  std::vector<double> errors;
  for (const Comparison* row : group.rows) {
    if (!(row->*said)) continue;
    const Measurement& measurement = row->measurement;
    errors.push_back(error_percent(measurement.quantity, *(row->*said), measurement.value));
    if (errors.size() == 1 || std::abs(errors.back()) > std::abs(summary.worst_percent)) {
      summary.worst_percent = errors.back();
      summary.worst_line = measurement.line;
    }
  }
  summary.failed = summary.rows - errors.size();
  if (errors.empty()) return summary;

  const auto count = static_cast<double>(errors.size());
  double sum = 0, sum_of_absolutes = 0, sum_of_squares = 0;
  for (const double error : errors) {
    sum += error;
    sum_of_absolutes += std::abs(error);
  }
  summary.bias_percent = sum / count;
  summary.mean_absolute_percent = sum_of_absolutes / count;
  for (const double error : errors) sum_of_squares += (error - summary.bias_percent) * (error - summary.bias_percent);
  summary.standard_deviation_percent = std::sqrt(sum_of_squares / count);
  return summary;
}

}  // namespace

double error_percent(Quantity quantity, double predicted, double measured) {
  const bool is_rate = quantity == Quantity::BandwidthGbps || quantity == Quantity::Gflops;
  // Time goes with 1 / rate, so (1/predicted - 1/measured) / (1/measured) is measured / predicted - 1.
  return 100 * (is_rate ? (measured - predicted) / predicted : (predicted - measured) / measured);
}

std::vector<ErrorSummary> summarize(const std::vector<Comparison>& rows, std::optional<double> Comparison::*said) {
  std::vector<ErrorSummary> summaries;
  for (const Group& group : groups_of(rows)) summaries.push_back(summary_of(group, said));
  return summaries;
}

ComparisonStudy::ComparisonStudy(std::span<const Measurement> measurements, const Lookup<Kernel>& kernels,
                                 const Lookup<Device>& devices, const LaunchOptions& options)
    : measurements_(measurements),
      options_(options),
      found_(new FoundInputs{{kernels, measurements, &Measurement::kernel},
                             {devices, measurements, &Measurement::device}}) {}

ComparisonStudy::~ComparisonStudy() = default;

Comparison ComparisonStudy::at(std::size_t index) const {
  Comparison row{measurements_[index], {}, {}, {}};
  try {
    predict_row(row, found_->kernels.at(row.measurement.kernel), found_->devices.at(row.measurement.device), options_);
  } catch (const GateError&) {
    throw;
  } catch (const Error& error) {
    row.error = error.what();
  }
  return row;
}

void for_each_comparison(std::span<const Measurement> measurements, const Lookup<Kernel>& kernels,
                         const Lookup<Device>& devices, const LaunchOptions& options, std::size_t threads,
                         const std::function<void(Comparison row)>& take) {
  const ComparisonStudy study(measurements, kernels, devices, options);
  const auto compare = [&](std::size_t index) { return study.at(index); };
  for_each_in_order(0, study.size(), threads, compare, take);
}

void find_measured_times(std::span<Comparison> rows, const Lookup<Kernel>& kernels, const Lookup<Device>& devices,
                         const LaunchOptions& options) {
  std::vector<Measurement> measurements;
  for (const Comparison& row : rows) measurements.push_back(row.measurement);
  const FoundByName<Kernel> found_kernels(kernels, measurements, &Measurement::kernel);
  const FoundByName<Device> found_devices(devices, measurements, &Measurement::device);
  for (Comparison& row : rows) {
    const Measurement& measurement = row.measurement;
    if (!row.predicted) continue;
    const Kernel& kernel = found_kernels.at(measurement.kernel);
    const Device& device = found_devices.at(measurement.device);
    const auto own = options_of(measurement, kernel, device, options);
    const auto as_run = device_of_run(device, kernel, own);
    const auto launch = resolve_launch(with_options(kernel, own), as_run, own);
    row.measured_time = measured_time(measurement, launch, as_run.clock);
  }
}

Accuracy sum_up(std::vector<Comparison> rows) {
  Accuracy accuracy{std::move(rows), {}, {}};
  accuracy.predicted = summarize(accuracy.rows, &Comparison::predicted);
  accuracy.bound_only = summarize(accuracy.rows, &Comparison::bound_only);
  return accuracy;
}

Accuracy score(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels,
               const Lookup<Device>& devices, const LaunchOptions& options, std::size_t threads,
               const Progress& progress) {
  std::vector<Comparison> rows;
  const auto keep = [&](Comparison row) {
    rows.push_back(std::move(row));
    if (progress) progress(rows.size(), measurements.size());
  };
  for_each_comparison(measurements, kernels, devices, options, threads, keep);
  return sum_up(std::move(rows));
}

}  // namespace warpipe
