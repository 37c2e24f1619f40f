#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "errors.hpp"
#include "files.hpp"

/// T6: predictions against measurements of devices, held to the budgets of budget.json.

namespace warpipe::validation {
namespace {

/// A budget this much above the error must be lowered.
constexpr double kSlackPercent = 1.0;

void expect_within(const KernelErrors& errors, const nlohmann::json& budget) {
  EXPECT_EQ(errors.rows, budget.at("rows").get<std::size_t>()) << "no row is dropped";
  EXPECT_EQ(errors.failed, 0U);
  const double most = budget.at("mean_absolute_percent");
  EXPECT_LE(errors.mean_absolute_percent(), most);
  EXPECT_GE(errors.mean_absolute_percent(), most - kSlackPercent) << "better than the budget: lower it in budget.json";
}

KernelErrors of_all(const std::vector<KernelErrors>& by_kernel) {
  KernelErrors all;
  for (const KernelErrors& errors : by_kernel) {
    all.rows += errors.rows;
    all.failed += errors.failed;
    all.absolute_sum += errors.absolute_sum;
  }
  return all;
}

class MeasuredDevice : public testing::TestWithParam<nlohmann::json> {};

TEST_P(MeasuredDevice, KeepsItsBudget) {
  const nlohmann::json& set = GetParam();
  const auto by_kernel = errors_of_committed(set.at("set"));
  EXPECT_EQ(by_kernel.size(), set.at("budgets").size()) << "each kernel and device of the file has one budget";
  std::map<std::pair<std::string, std::string>, nlohmann::json> budgets;
  for (const auto& budget : set.at("budgets")) budgets[{budget.at("kernel"), budget.at("device")}] = budget;
  for (const KernelErrors& errors : by_kernel) {
    SCOPED_TRACE(fmt::format("{} on {}", errors.kernel, errors.device));
    const auto found = budgets.find({errors.kernel, errors.device});
    ASSERT_NE(found, budgets.end());
    expect_within(errors, found->second);
  }
  if (set.contains("all")) expect_within(of_all(by_kernel), set.at("all"));
}

INSTANTIATE_TEST_SUITE_P(Reference, MeasuredDevice,
                         testing::ValuesIn(nlohmann::json::parse(read_text(validation_file("budget.json")))),
                         [](const auto& instance) { return instance.param.at("set").template get<std::string>(); });

}  // namespace
}  // namespace warpipe::validation
