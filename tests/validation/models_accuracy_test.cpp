#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "files.hpp"
#include "measurements.hpp"
#include "warpipe/baselines/model_accuracy.hpp"

/// T6: the models of the literature, held against the same measurements as the simulation. docs/accuracy.md has the
/// table.

namespace warpipe::validation {
namespace {

constexpr double kTooLong = 1 << 25;
constexpr std::size_t kEveryOfModels = 9;  ///< rows that are scored; all of them gave the table

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

/// Scores one reference set; every row has a prediction or a reason of every model.
void add_set(Totals& totals, const nlohmann::json& set) {
  LaunchOptions options;
  if (set.contains("clock_hz")) options.clock = Hertz{set.at("clock_hz")};
  const auto csv = set.at("csv").get<std::string>();
  const auto rows = read_measurements(csv, kEveryOfModels);
  const ModelAccuracy accuracy = score_models(rows, shipped_kernel, shipped_device, options, {}, 0);
  totals.rows.insert(totals.rows.end(), rows.begin(), rows.end());
  add(totals, "simulation", accuracy.simulated.predicted);
  for (const ModelScore& model : accuracy.models) {
    ASSERT_EQ(model.predicted.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_NE(model.predicted[i].has_value(), !model.why_not[i].empty())
          << csv << " line " << rows[i].line << ", " << to_string(model.model);
    add(totals, to_string(model.model), model.summaries);
  }
}

Totals score_all_sets() {
  Totals totals;
  const auto file = nlohmann::json::parse(read_text(validation_file("budget.json")));
  for (const auto& set : file.at("sets")) add_set(totals, set);
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
  // A matrix-vector product of 2^25 columns is longer than they go through one by one.
  const auto is_too_long = [](const Measurement& row) {
    return row.kernel == "mat_vec_mul" && row.options.parameters.at("cols") == kTooLong;
  };
  for (const auto model : {Model::GpuMech, Model::Gcom})
    EXPECT_EQ(totals.predicted.at(to_string(model)), but(is_too_long)) << to_string(model);
  // Divisions and roots say no work, which the roofline asks for.
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

// One test, since the tests of a suite may run in processes of their own, and each would score all sets.
TEST(ModelsOnAllSets, DropNoRowAndAreFartherFromMeasurementThanTheSimulation) {
  const Totals totals = score_all_sets();
  expect_that_no_row_is_dropped(totals);
  expect_that_the_simulation_is_nearest(totals);
}

}  // namespace
}  // namespace warpipe::validation
