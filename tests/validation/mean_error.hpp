#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace warpipe::validation {

constexpr double kSlackOfMeans = 1.0;  // a mean this much below its budget asks for a lower one

/// The mean of absolute errors, in percent.
struct MeanError {
  int rows = 0;
  double sum = 0;

  void add(double percent) {
    ++rows;
    sum += std::abs(percent);
  }
};

/// Holds errors to an entry of the budget file: to its "rows", of which none is dropped, and "mean_absolute_percent".
inline void expect_within(const MeanError& found, const nlohmann::json& budget) {
  EXPECT_EQ(found.rows, budget.at("rows").get<int>()) << "no row is dropped";
  const double mean = found.sum / found.rows, most = budget.at("mean_absolute_percent");
  EXPECT_LE(mean, most);
  EXPECT_GE(mean, most - kSlackOfMeans) << "better than the budget: lower it in " WARPIPE_BUDGET;
}

}  // namespace warpipe::validation
