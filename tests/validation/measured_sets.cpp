#include "measured_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "files.hpp"
#include "machine_code_rows.hpp"
#include "measurements.hpp"
#include "warpipe/accuracy/csv.hpp"
#include "warpipe/baselines/model_accuracy.hpp"
#include "warpipe/predict/predict.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::validation {
namespace {

constexpr const char* kRangesAndModels = "ranges_and_models";  // of budget.json
constexpr std::size_t kEveryOfCoulomb = 47;  // of 210 rows of many seconds each; RESULTS.md has them all
constexpr std::size_t kEveryWithRange = 10;  // a range takes several predictions

std::string number(std::optional<double> value) { return value ? fmt::format("{:.12g}", *value) : std::string(); }

// ---- rows with a shipped kernel and a shipped device

PredictedCells predict_row(const Measurement& row, const LaunchOptions& options, bool with_models) {
  PredictedCells cells;
  Accuracy accuracy;
  if (with_models) {
    ModelAccuracy scored = score_models({row}, shipped_kernel, shipped_device, options, {}, 1);
    for (const ModelScore& model : scored.models) {
      if (model.predicted[0].has_value() != model.why_not[0].empty())
        throw std::logic_error(to_string(model.model) + " has both a prediction and a reason for none, or neither");
      cells[to_string(model.model)] = number(model.predicted[0]);
    }
    accuracy = std::move(scored.simulated);
  } else {
    accuracy = score({row}, shipped_kernel, shipped_device, options, 1);
  }
  const Comparison& found = accuracy.rows[0];
  cells["predicted"] = number(found.predicted);
  cells["bound"] = number(found.bound_only);
  if (found.range) {
    cells["low"] = number(found.range->low);
    cells["high"] = number(found.range->high);
  }
  return cells;
}

/// @param budget  its element of budget.json
MeasuredSet shipped_set(const nlohmann::json& budget) {
  const std::string name = budget.at("set");
  LaunchOptions options;
  if (budget.contains("clock_hz")) options.clock = Hertz{budget.at("clock_hz")};
  const bool in_depth = budget.value(kRangesAndModels, false);
  const auto rows = std::make_shared<const std::vector<Measurement>>(read_measurements(name + ".csv"));
  MeasuredSet set{.name = name, .rows = {}, .predict = {}, .error_percent = {}};
  for (const Measurement& row : *rows) set.rows.push_back({row.line, row.kernel, row.device});
  set.predict = [rows, options, in_depth](std::size_t row) {
    LaunchOptions own = options;
    own.range = in_depth && row % kEveryWithRange == 0;
    return predict_row((*rows)[row], own, in_depth && row % kEveryWithModels == 0);
  };
  set.error_percent = [rows](std::size_t row, double predicted) {
    return warpipe::error_percent((*rows)[row].quantity, predicted, (*rows)[row].value);
  };
  return set;
}

// ---- rows of machine code imported here

std::vector<MachineCodeRow> every_nth(const std::vector<MachineCodeRow>& rows, std::size_t n) {
  std::vector<MachineCodeRow> taken;
  for (std::size_t i = 0; i < rows.size(); i += n) taken.push_back(rows[i]);
  return taken;
}

/// @param every      the set has the first of every `every` rows of the file
/// @param kernel_of  (row) -> the name under which its error is summed up
/// @param predict    (row) -> microseconds
MeasuredSet machine_code_set(const std::string& name, std::size_t every, const std::string& device,
                             const std::function<std::string(const MachineCodeRow&)>& kernel_of,
                             const std::function<double(const MachineCodeRow&)>& predict) {
  const auto rows =
      std::make_shared<const std::vector<MachineCodeRow>>(every_nth(read_machine_code_rows(name + ".csv"), every));
  MeasuredSet set{.name = name, .rows = {}, .predict = {}, .error_percent = {}};
  for (const MachineCodeRow& row : *rows) set.rows.push_back({row.line, kernel_of(row), device});
  set.predict = [rows, predict](std::size_t row) -> PredictedCells {
    return {{"predicted", number(predict((*rows)[row]))}};
  };
  set.error_percent = [rows](std::size_t row, double predicted) {
    return validation::error_percent((*rows)[row], predicted);
  };
  return set;
}

MeasuredSet kernels_mi300a() {
  const auto predict = [device = shipped_device("mi300a")](const MachineCodeRow& row) {
    return predicted_us(row, device, listing_of(row));
  };
  return machine_code_set("kernels_mi300a", 1, "mi300a", &MachineCodeRow::kernel, predict);
}

/// The timed code comes from another compiler: rows are told apart by the places of a thread's sums there and here.
MeasuredSet kernels_gtx1070() {
  const auto module = std::make_shared<const sass::Module>(
      sass::read_cubin(read_text(validation_file("cuda/coulomb3d.cubin")), "coulomb3d.cubin"));
  const auto sums_there_and_here = [module](const MachineCodeRow& row) -> std::string {
    const bool is_stack_here = module->find(row.kernel).stack > 0;
    return std::string(row.stack_bytes > 0 ? "stack" : "registers") + (is_stack_here ? " and stack" : " and registers");
  };
  const auto predict = [module, device = shipped_device("gtx1070")](const MachineCodeRow& row) {
    isa::ImportOptions options;
    options.entry = row.kernel;
    options.launch = row.launch;
    options.target.name = "sm_61";  // the code is for later devices, and so is the order of its warps
    const auto prediction = warpipe::predict(sass::import_cubin(*module, options).kernel, device, {});
    return 1e6 * (device.launch_overhead.count + prediction.time.count);
  };
  return machine_code_set("kernels_gtx1070", kEveryOfCoulomb, "gtx1070", sums_there_and_here, predict);
}

nlohmann::json read_budget() { return nlohmann::json::parse(read_text(validation_file("budget.json"))); }

std::vector<CsvRow> read_lines(const std::string& file) {
  CsvProblems problems(file);
  auto lines = read_csv(read_text(validation_file(file)), problems);
  problems.throw_if_any();
  return lines;
}

}  // namespace

std::vector<std::string> measured_set_names(Sets sets) {
  std::vector<std::string> names;
  for (const auto& budget : read_budget())
    if (sets == Sets::All || budget.value(kRangesAndModels, false)) names.push_back(budget.at("set"));
  return names;
}

MeasuredSet measured_set(const std::string& name) {
  if (name == "kernels_mi300a") return kernels_mi300a();
  if (name == "kernels_gtx1070") return kernels_gtx1070();
  const nlohmann::json budgets = read_budget();
  return shipped_set(*std::ranges::find_if(budgets, [&](const auto& budget) { return budget.at("set") == name; }));
}

std::vector<std::string> prediction_columns() {
  std::vector<std::string> columns{"line", "predicted", "bound", "low", "high"};
  for (const Model model : all_models()) columns.push_back(to_string(model));
  return columns;
}

std::optional<double> number_in(const PredictedCells& cells, const std::string& column) {
  const auto cell = cells.find(column);
  if (cell == cells.end() || cell->second.empty()) return std::nullopt;
  return std::stod(cell->second);
}

std::vector<PredictedCells> committed_predictions(const std::string& set) {
  const auto lines = read_lines("predictions/" + set + ".csv");
  const auto& columns = lines.at(0).cells;
  std::vector<PredictedCells> rows;
  for (const CsvRow& line : std::span(lines).subspan(1)) {
    PredictedCells& cells = rows.emplace_back();
    for (std::size_t i = 0; i < columns.size() && i < line.cells.size(); ++i) cells[columns[i]] = line.cells[i];
  }
  return rows;
}

std::string predictions_csv(const MeasuredSet& set, const std::vector<PredictedCells>& predicted) {
  std::vector<std::string> columns = prediction_columns();
  std::erase_if(columns, [&](const std::string& column) {
    return column != "line" && std::ranges::none_of(predicted, [&](const auto& row) { return row.contains(column); });
  });
  std::string text = fmt::format("{}\n", fmt::join(columns, ","));
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    PredictedCells cells = predicted[i];
    cells["line"] = std::to_string(set.rows[i].line);
    std::vector<std::string> words;
    for (const std::string& column : columns) words.push_back(cells[column]);
    text += fmt::format("{}\n", fmt::join(words, ","));
  }
  return text;
}

Accuracy committed_accuracy(const std::string& set, const std::string& column) {
  const std::vector<Measurement> measured = read_measurements(set + ".csv");
  const std::vector<PredictedCells> committed = committed_predictions(set);
  if (committed.size() != measured.size()) throw std::runtime_error(set + ".csv: not a prediction for each row");
  std::vector<Comparison> rows;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    Comparison row{measured[i], number_in(committed[i], column), number_in(committed[i], "bound"), ""};
    const auto low = number_in(committed[i], "low"), high = number_in(committed[i], "high");
    if (low && high) row.range = Interval{*low, *high};
    rows.push_back(row);
  }
  return sum_up(std::move(rows));
}

}  // namespace warpipe::validation
