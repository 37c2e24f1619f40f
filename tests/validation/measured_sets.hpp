#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"

/// The reference sets, and the predictions of their rows. A prediction takes seconds to minutes, and is the same on
/// every machine: predictions/SET.csv keeps it. Budgets, ranges and models are held against the file, and a single test
/// (PredictedRows) holds the file against the program.

namespace warpipe::validation {

/// The models of the literature are scored on the first row of a set and each ninth behind it: two of them go through a
/// run instruction by instruction.
inline constexpr std::size_t kEveryWithModels = 9;

/// A line of predictions/SET.csv about a measured row: numbers by column, each with twelve digits, since the last
/// digits of a logarithm differ between processors.
using PredictedCells = std::map<std::string, std::string>;

struct MeasuredRow {
  std::size_t line = 0;        ///< of reference/SET.csv
  std::string kernel, device;  ///< errors are summed up by both
};

struct MeasuredSet {
  std::string name;  ///< of reference/NAME.csv and predictions/NAME.csv
  std::vector<MeasuredRow> rows;
  /// @param row  its index
  std::function<PredictedCells(std::size_t row)> predict;
  /// @return the error of a prediction in percent of the measured time, positive where it is too slow
  std::function<double(std::size_t row, double predicted)> error_percent;
};

enum class Sets { All, WithRangesAndModels };

/// @return the names of sets, in the order of budget.json: all sets, or sets whose rows also have ranges and
///         predictions of the models of the literature
std::vector<std::string> measured_set_names(Sets sets = Sets::All);

MeasuredSet measured_set(const std::string& name);

/// @return the columns of predictions/SET.csv: `line`; `predicted`, and `bound` by the highest bound alone, in the
///         measured quantity; where a set has ranges and models, of every tenth row `low` and `high`, its range in nine
///         of ten cases, and of every ninth row a column for each model of the literature
std::vector<std::string> prediction_columns();

/// @return the number of a column; nothing where the row has none there
std::optional<double> number_in(const PredictedCells& cells, const std::string& column);

/// @return predictions/SET.csv, an element for each row
/// @throws std::runtime_error where it cannot be read
std::vector<PredictedCells> committed_predictions(const std::string& set);

/// @param predicted  of each row of the set
/// @return           the text of predictions/SET.csv
std::string predictions_csv(const MeasuredSet& set, const std::vector<PredictedCells>& predicted);

/// The committed predictions of a set whose rows name a shipped kernel and a shipped device, held against its
/// measurements.
/// @param column  "predicted", or the name of a model: rows without a number there count as failed
Accuracy committed_accuracy(const std::string& set, const std::string& column = "predicted");

}  // namespace warpipe::validation
