#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "files.hpp"
#include "machine_code_rows.hpp"

/// T6: kernels that are compiled to machine code, against measurements on MI300A.

namespace warpipe::validation {
namespace {

constexpr double kMostPercent = 15;    // mean error of all rows
constexpr double kSlackPercent = 1.0;  // an error this much below its budget asks for a lower one

struct Budget {
  int rows = 0;
  double mean_absolute_percent = 0;
};

struct Found {
  int rows = 0;
  double sum = 0;
  double mean() const { return sum / rows; }
};

/// The errors by kernel, and of all under "".
std::map<std::string, Found> errors_of_rows(double longest_us) {
  std::map<std::string, Found> found;
  const auto device = shipped_device("mi300a");
  for (const auto& row : read_machine_code_rows("kernels_mi300a.csv")) {
    if (row.time_us > longest_us) continue;
    const double error = std::abs(error_percent(row, predicted_us(row, device, listing_of(row))));
    for (const std::string& name : {row.kernel, std::string()}) {
      ++found[name].rows;
      found[name].sum += error;
    }
  }
  return found;
}

void expect_budgets(const std::map<std::string, Found>& found, const std::map<std::string, Budget>& budgets) {
  for (const auto& [kernel, budget] : budgets) {
    SCOPED_TRACE(kernel.empty() ? "all" : kernel);
    ASSERT_TRUE(found.contains(kernel));
    EXPECT_EQ(found.at(kernel).rows, budget.rows) << "no row is dropped";
    EXPECT_LE(found.at(kernel).mean(), budget.mean_absolute_percent);
    EXPECT_GE(found.at(kernel).mean(), budget.mean_absolute_percent - kSlackPercent) << "better: lower the budget";
  }
}

