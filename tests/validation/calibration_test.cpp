#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "files.hpp"
#include "measured_sets.hpp"
#include "warpipe/accuracy/accuracy.hpp"

/// T6: shipped tables fitted by warpipe calibrate to every other row of a set, scored on the rows left out of the fit.
/// calibrated/README.md describes the fits; targets.json holds the error that each must keep.

namespace warpipe::validation {
namespace {

struct Target {
  std::string device, csv, kernel;  ///< kernel: empty for all of the set
  std::size_t held_out = 0;
  double mean_percent = 0, median_percent = 0;

  std::string set() const { return csv.substr(0, csv.find('.')); }
};

void PrintTo(const Target& target, std::ostream* out) { *out << target.device << ": " << target.csv; }

std::vector<Target> targets() {
  std::vector<Target> result;
  for (const auto& each : nlohmann::json::parse(read_text(validation_file("calibrated/targets.json")))) {
    result.push_back({each.at("device"), each.at("csv"), each.value("kernel", ""), each.at("held_out_rows"),
                      each.at("mean_absolute_percent"), each.at("median_absolute_percent")});
  }
  return result;
}

/// Every second row of each kernel, as `--hold-out 2` takes them, of a given kernel or of all.
std::vector<Comparison> held_out(const std::vector<Comparison>& rows, const std::string& kernel) {
  std::vector<Comparison> held;
  std::map<std::string, int> seen;
  for (const Comparison& row : rows) {
    const bool is_wanted = kernel.empty() || row.measurement.kernel == kernel;
    if (is_wanted && ++seen[row.measurement.kernel] % 2 == 0) held.push_back(row);
  }
  return held;
}

std::vector<double> absolute_errors(const std::vector<Comparison>& rows) {
  std::vector<double> errors;
  for (const Comparison& row : rows) {
    EXPECT_EQ(row.error, "") << "line " << row.measurement.line;
    const auto& measured = row.measurement;
    errors.push_back(std::abs(error_percent(measured.quantity, row.predicted.value_or(0), measured.value)));
  }
  std::ranges::sort(errors);
  return errors;
}

class CalibratedDevice : public testing::TestWithParam<Target> {};

TEST_P(CalibratedDevice, PredictsTheRowsThatItWasNotFittedTo) {
  const auto& target = GetParam();
  const auto rows = held_out(committed_accuracy(target.set()).rows, target.kernel);
  EXPECT_EQ(rows.size(), target.held_out) << "no row is dropped";
  const auto errors = absolute_errors(rows);
  double sum = 0;
  for (const double error : errors) sum += error;
  const std::size_t middle = errors.size() / 2;
  const double median = errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
  EXPECT_LE(sum / static_cast<double>(errors.size()), target.mean_percent);
  EXPECT_LE(median, target.median_percent);
}

INSTANTIATE_TEST_SUITE_P(Calibrated, CalibratedDevice, testing::ValuesIn(targets()), [](const auto& instance) {
  const auto& target = instance.param;
  return target.set() + (target.kernel.empty() ? "" : "_" + target.kernel);
});

}  // namespace
}  // namespace warpipe::validation
