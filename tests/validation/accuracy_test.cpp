#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "files.hpp"
#include "measurements.hpp"
#include "warpipe/accuracy/accuracy.hpp"

/// T6: predictions against measurements of devices, held to a budget, which only goes down: that of budget.json, and in
/// an executable of its own that of budget_slow.json, for the sets that take a minute.

namespace warpipe::validation {
namespace {

/// A budget this much above the error must be lowered.
constexpr double kSlackPercent = 1.0;

using Group = std::pair<std::string, std::string>;  // kernel, device

struct Budget {
  std::size_t rows = 0;
  double mean_absolute_percent = 0;
};

struct ReferenceSet {
  std::string csv;
  std::optional<Hertz> clock;
  std::size_t every = 1;  ///< only rows 1, 1 + every, ... of the file, where all would take minutes
  std::map<Group, Budget> budgets;
};

void PrintTo(const ReferenceSet& set, std::ostream* out) { *out << set.csv; }

ReferenceSet read_set(const nlohmann::json& set) {
  ReferenceSet result{set.at("csv"), {}, set.value("every", std::size_t{1}), {}};
  if (set.contains("clock_hz")) result.clock = Hertz{set.at("clock_hz")};
  for (const auto& budget : set.at("budgets")) {
    result.budgets[{budget.at("kernel"), budget.at("device")}] = {budget.at("rows"),
                                                                  budget.at("mean_absolute_percent")};
  }
  return result;
}

std::vector<ReferenceSet> reference_sets() {
  std::vector<ReferenceSet> sets;
  const auto file = nlohmann::json::parse(read_text(validation_file(WARPIPE_BUDGET)));
  for (const auto& set : file.at("sets")) sets.push_back(read_set(set));
  return sets;
}

class MeasuredDevice : public testing::TestWithParam<ReferenceSet> {};

TEST_P(MeasuredDevice, KeepsItsBudget) {
  const auto& set = GetParam();
  const Accuracy& accuracy = shipped_accuracy(set.csv, set.every, set.clock);
  EXPECT_EQ(accuracy.predicted.size(), set.budgets.size()) << "each kernel and device of the file has one budget";
  for (const auto& row : accuracy.rows) EXPECT_EQ(row.error, "") << "line " << row.measurement.line;
  for (const auto& summary : accuracy.predicted) {
    SCOPED_TRACE(fmt::format("{} on {}", summary.kernel, summary.device));
    const auto found = set.budgets.find({summary.kernel, summary.device});
    ASSERT_NE(found, set.budgets.end());
    EXPECT_EQ(summary.rows, found->second.rows) << "no row is dropped";
    EXPECT_EQ(summary.failed, 0U);
    EXPECT_LE(summary.mean_absolute_percent, found->second.mean_absolute_percent);
    EXPECT_GE(summary.mean_absolute_percent, found->second.mean_absolute_percent - kSlackPercent)
        << "better than the budget: lower it in " WARPIPE_BUDGET;
  }
}

INSTANTIATE_TEST_SUITE_P(Reference, MeasuredDevice, testing::ValuesIn(reference_sets()), [](const auto& instance) {
  return instance.param.csv.substr(0, instance.param.csv.find('.'));
});

}  // namespace
}  // namespace warpipe::validation
