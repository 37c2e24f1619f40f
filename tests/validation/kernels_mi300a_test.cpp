#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "files.hpp"
#include "machine_code_rows.hpp"
#include "mean_error.hpp"

/// T6: kernels that are compiled to machine code, against measurements on MI300A, held to "machine_code" of
/// budget.json, and all rows, which take half a minute, to that of budget_slow.json.

namespace warpipe::validation {
namespace {

/// The errors by kernel, and of all rows under "all".
std::map<std::string, MeanError> errors_of_rows(const std::string& csv, double longest_us) {
  std::map<std::string, MeanError> found;
  const auto device = shipped_device("mi300a");
  for (const auto& row : read_machine_code_rows(csv)) {
    if (row.time_us > longest_us) continue;
    const double error = error_percent(row, predicted_us(row, device, listing_of(row)));
    for (const std::string& name : {row.kernel, std::string("all")}) found[name].add(error);
  }
  return found;
}

TEST(KernelsOnMi300a, KeepTheirBudgets) {
  const auto set = nlohmann::json::parse(read_text(validation_file(WARPIPE_BUDGET))).at("machine_code");
  const double longest = set.value("longest_us", std::numeric_limits<double>::infinity());
  const auto found = errors_of_rows(set.at("csv"), longest);
  ASSERT_EQ(found.size(), set.at("budgets").size());
  for (const auto& budget : set.at("budgets")) {
    const std::string kernel = budget.at("kernel");
    SCOPED_TRACE(kernel);
    ASSERT_TRUE(found.contains(kernel));
    expect_within(found.at(kernel), budget);
  }
}

}  // namespace
}  // namespace warpipe::validation
