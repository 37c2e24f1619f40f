#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "errors.hpp"
#include "files.hpp"
#include "measured_sets.hpp"
#include "support/drawn_cases.hpp"
#include "warpipe/parallel/loops.hpp"

/// Holds predictions/SET.csv against the program, digit by digit: a tenth of the rows, drawn by the commit, and all
/// rows of a set with a difference. With WARPIPE_UPDATE_PREDICTIONS the files are written instead (update.sh).

namespace warpipe::validation {
namespace {

constexpr std::size_t kMostShown = 5;
constexpr const char* kAdvice =
    "if that is meant, tests/validation/update.sh BUILD rewrites predictions and errors.csv";

bool is_update() { return std::getenv("WARPIPE_UPDATE_PREDICTIONS") != nullptr; }

void write_text(const std::string& file, const std::string& text) {
  std::ofstream out(validation_file(file), std::ios::binary);
  out << text;
  ASSERT_TRUE(out.flush()) << "cannot write " << file;
}

std::vector<std::size_t> all_rows(const MeasuredSet& set) {
  std::vector<std::size_t> rows(set.rows.size());
  std::iota(rows.begin(), rows.end(), std::size_t{});
  return rows;
}

/// Predicts rows without a prediction, on all cores.
/// @param predicted  an entry for each row of the set, empty where there is none
void predict_rows(const MeasuredSet& set, const std::vector<std::size_t>& rows,
                  std::vector<PredictedCells>& predicted) {
  const auto predict = [&](std::size_t i) {
    if (predicted[rows[i]].empty()) predicted[rows[i]] = set.predict(rows[i]);
  };
  for_each_index(rows.size(), 0, predict, {});
}

/// @return the differences between two predictions of a row, a line for each column; empty where there are none
std::string difference(PredictedCells committed, PredictedCells now) {
  std::string lines;
  for (const std::string& column : prediction_columns())
    if (column != "line" && committed[column] != now[column])
      lines += fmt::format("  {}: {} is now {}\n", column, committed[column], now[column]);
  return lines;
}

/// @return "line 17 of reference/SET.csv" and the differences there, of the first differing rows; and their number
std::string differences(const MeasuredSet& set, const std::vector<std::size_t>& rows,
                        const std::vector<PredictedCells>& committed, const std::vector<PredictedCells>& now) {
  std::string shown;
  std::size_t found = 0;
  for (const std::size_t row : rows) {
    const std::string lines = difference(committed[row], now[row]);
    if (!lines.empty() && ++found <= kMostShown)
      shown += fmt::format("line {} of reference/{}.csv\n{}", set.rows[row].line, set.name, lines);
  }
  return found == 0 ? "" : fmt::format("{} of {} rows differ\n{}", found, rows.size(), shown);
}

class PredictedRows : public testing::TestWithParam<std::string> {};

TEST_P(PredictedRows, AreTheCommittedOnes) {
  const MeasuredSet set = measured_set(GetParam());
  std::vector<PredictedCells> now(set.rows.size());
  if (is_update()) {
    predict_rows(set, all_rows(set), now);
    return write_text("predictions/" + set.name + ".csv", predictions_csv(set, now));
  }
  const auto committed = committed_predictions(set.name);
  ASSERT_EQ(committed.size(), set.rows.size()) << "a prediction for each row";
  for (std::size_t row = 0; row < committed.size(); ++row)
    ASSERT_EQ(committed[row].at("line"), std::to_string(set.rows[row].line)) << "in the order of the measured rows";
  const auto drawn = drawn_cases("predictions of " + set.name, set.rows.size());
  predict_rows(set, drawn, now);
  if (differences(set, drawn, committed, now).empty()) return;
  predict_rows(set, all_rows(set), now);
  ADD_FAILURE() << differences(set, all_rows(set), committed, now) << error_changes(set, committed, now) << kAdvice
                << "\nrows drawn by WARPIPE_TEST_DRAW=" << word_of_draw();
}

INSTANTIATE_TEST_SUITE_P(Reference, PredictedRows, testing::ValuesIn(measured_set_names()),
                         [](const auto& instance) { return instance.param; });

TEST(PredictedErrors, AreThoseOfTheCommittedPredictions) {
  if (is_update()) return write_text("errors.csv", errors_csv());
  EXPECT_EQ(read_text(validation_file("errors.csv")), errors_csv()) << kAdvice;
}

}  // namespace
}  // namespace warpipe::validation
