#include "records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "csv.hpp"
#include "text_table.hpp"

namespace warpipe {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 14 does not deduce it

std::string exact(const Cell& cell) {
  return std::visit(
      Overloaded{[](std::monostate) { return std::string(); }, [](const std::string& text) { return text; },
                 [](Ticks cycles) { return format_cycles(cycles); },
                 [](auto number) { return fmt::format("{}", number); }},
      cell);
}

/// A line of a table has no line breaks.
std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string shown(const Cell& cell) {
  const auto* number = std::get_if<double>(&cell);
  const bool long_fraction = number != nullptr && *number != std::trunc(*number);
  return long_fraction ? fmt::format("{:.6g}", *number) : in_one_line(exact(cell));
}

}  // namespace

std::string to_text(const Records& records) {
  std::vector<TextTable::Column> columns;
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < records.names.size(); ++i) {
    const auto empty = [i](const auto& row) { return std::holds_alternative<std::monostate>(row[i]); };
    const auto words = [i](const auto& row) { return std::holds_alternative<std::string>(row[i]); };
    if (std::ranges::all_of(records.rows, empty)) continue;
    const bool left = std::ranges::any_of(records.rows, words);
    columns.push_back({records.names[i], left ? TextTable::Align::Left : TextTable::Align::Right});
    used.push_back(i);
  }
  TextTable table(std::move(columns));
  for (const auto& row : records.rows) {
    std::vector<std::string> cells;
    for (const auto i : used) cells.push_back(shown(row[i]));
    table.add(std::move(cells));
  }
  return table.text();
}

std::string to_csv(const Records& records) {
  std::string text = csv_line(records.names);
  for (const auto& row : records.rows) {
    std::vector<std::string> cells;
    for (const auto& cell : row) cells.push_back(exact(cell));
    text += csv_line(cells);
  }
  return text;
}

void write_record(JsonWriter& json, const Records& records, const std::vector<Cell>& row) {
  json.begin_object();
  for (std::size_t i = 0; i < row.size(); ++i) {
    json.key(records.names[i]);
    std::visit(Overloaded{[&](std::monostate) { json.null(); }, [&](const auto& content) { json.value(content); }},
               row[i]);
  }
  json.end_object();
}

}  // namespace warpipe
