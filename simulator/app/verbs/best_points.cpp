#include "verbs/best_points.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "warpipe/accuracy/csv.hpp"
#include "warpipe/idg/number.hpp"

namespace warpipe::app {
namespace {

constexpr const char* kColumn = "time_us";

}  // namespace

void BestPoints::add(std::optional<double> cost, std::size_t index) {
  if (!cost) return;
  best_.emplace(*cost, index);
  if (best_.size() > most_) best_.erase(std::prev(best_.end()));
}

std::vector<std::size_t> BestPoints::indices() const {
  std::vector<std::size_t> indices;
  for (const auto& [cost, index] : best_) indices.push_back(index);
  return indices;
}

std::optional<double> time_us_of_row(const std::string& header, const std::string& row, RowForm form) {
  if (form == RowForm::JsonLines) {
    const auto value = nlohmann::json::parse(row).at(kColumn);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
  }
  CsvProblems problems("");
  const auto rows = read_csv(header + row, problems);
  const auto column = std::ranges::find(rows.at(0).cells, kColumn) - rows.at(0).cells.begin();
  return parse_number(rows.at(1).cells.at(static_cast<std::size_t>(column)));
}

}  // namespace warpipe::app
