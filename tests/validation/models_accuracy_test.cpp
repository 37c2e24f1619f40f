#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "measured_sets.hpp"
#include "warpipe/baselines/models.hpp"

/// T6: the models of the literature, held against the same measurements as the simulation. docs/accuracy.md has the
/// table.

namespace warpipe::validation {
namespace {

constexpr double kTooLong = 1 << 25;

/// Sums of |error| over all reference sets, by model; "simulation" among them.
struct Totals {
  std::map<std::string, double> absolute;
  std::map<std::string, std::size_t> predicted;
  std::vector<Measurement> rows;
};

void add(Totals& totals, const std::string& model, const std::vector<ErrorSummary>& summaries) {
  for (const ErrorSummary& summary : summaries) {
    const std::size_t predicted = summary.rows - summary.failed;
    totals.predicted[model] += predicted;
    totals.absolute[model] += static_cast<double>(predicted) * summary.mean_absolute_percent;
  }
}

/// The rows of a reference set on which the models are scored.
void add_set(Totals& totals, const std::string& set) {
  const auto of_scored = [&](const std::string& column) {
    std::vector<Comparison> rows = committed_accuracy(set, column).rows, scored;
    for (std::size_t i = 0; i < rows.size(); i += kEveryWithModels) scored.push_back(std::move(rows[i]));
    return sum_up(std::move(scored));
  };
  const Accuracy simulated = of_scored("predicted");
  for (const Comparison& row : simulated.rows) totals.rows.push_back(row.measurement);
  add(totals, "simulation", simulated.predicted);
  for (const Model model : all_models()) add(totals, to_string(model), of_scored(to_string(model)).predicted);
}

Totals add_all_sets() {
  Totals totals;
  for (const std::string& set : measured_set_names(Sets::WithRangesAndModels)) add_set(totals, set);
  return totals;
}

void expect_that_no_row_is_dropped(const Totals& totals) {
  const auto but = [&](const std::function<bool(const Measurement&)>& is_left_out) {
    return totals.rows.size() - static_cast<std::size_t>(std::ranges::count_if(totals.rows, is_left_out));
  };
  EXPECT_EQ(totals.predicted.at("simulation"), totals.rows.size());
  for (const auto model :
       {Model::OccupancyRoofline, Model::LittlesLaw, Model::Volkov, Model::GpuPerf, Model::ZhangOwens})
    EXPECT_EQ(totals.predicted.at(to_string(model)), totals.rows.size()) << to_string(model);
  // A matrix-vector product of 2^25 columns is too long for them to go through one by one.
  const auto is_too_long = [](const Measurement& row) {
    return row.kernel == "mat_vec_mul" && row.options.parameters.at("cols") == kTooLong;
  };
  for (const auto model : {Model::GpuMech, Model::Gcom})
    EXPECT_EQ(totals.predicted.at(to_string(model)), but(is_too_long)) << to_string(model);
  // Divisions and roots state no work, and the roofline asks for it.
  const auto says_no_work = [](const Measurement& row) {
    return row.kernel == "chains_ddiv" || row.kernel == "chains_dsqrt";
  };
  EXPECT_EQ(totals.predicted.at("roofline"), but(says_no_work));
  // These chains have no memory instruction.
  EXPECT_EQ(totals.predicted.at("hong-kim"), but([](const Measurement& row) { return row.kernel == "chains_dfma"; }));
}

void expect_that_the_simulation_is_nearest(const Totals& totals) {
  const auto mean = [&](const std::string& model) {
    return totals.absolute.at(model) / static_cast<double>(totals.predicted.at(model));
  };
  for (const auto& [model, absolute] : totals.absolute) {
    fmt::print("{:<20} {:5.1f} % of {} rows\n", model, mean(model), totals.predicted.at(model));
    if (model == "simulation") continue;
    EXPECT_LT(mean("simulation"), mean(model)) << model;
  }
}

// A single test, since the tests of a suite may run in processes of their own, and each would score all sets.
TEST(ModelsOnAllSets, DropNoRowAndAreFartherFromMeasurementThanTheSimulation) {
  const Totals totals = add_all_sets();
  expect_that_no_row_is_dropped(totals);
  expect_that_the_simulation_is_nearest(totals);
}

}  // namespace
}  // namespace warpipe::validation
