#include "warpipe/views/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warpipe/idg/printable.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 14 does not deduce it

std::string csv_cell(const std::string& given) {
  const auto text = printable(given);
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// @return a line of RFC 4180: cells as `printable` shows them, quoted where they hold a comma or a quote
std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const auto& cell : cells) line += (&cell == &cells.front() ? "" : ",") + csv_cell(cell);
  return line + "\r\n";
}

std::string exact(const Cell& cell) {
  return std::visit(
      Overloaded{[](std::monostate) { return std::string(); }, [](const std::string& text) { return text; },
                 [](Ticks cycles) { return format_cycles(cycles); },
                 [](auto number) { return fmt::format("{}", number); }},
      cell);
}

std::vector<std::string> exact(std::span<const Cell> cells) {
  std::vector<std::string> texts;
  for (const auto& cell : cells) texts.push_back(exact(cell));
  return texts;
}

/// Without the braces around them.
void write_members(JsonWriter& json, const std::vector<std::string>& names, std::span<const Cell> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    json.key(names[i]);
    std::visit(Overloaded{[&](std::monostate) { json.null(); }, [&](const auto& content) { json.value(content); }},
               cells[i]);
  }
}

/// Errors may be of several lines; a row of a table is a single line.
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

TextTable table_of(const Records& records) {
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
  return table;
}

std::string to_text(const Records& records) { return table_of(records).text(); }

std::string to_csv(const Records& records) {
  std::string text = header_line(records.names, RowForm::Csv);
  for (const auto& row : records.rows) text += row_line(records.names, row, RowForm::Csv);
  return text;
}

void write_record(JsonWriter& json, const Records& records, const std::vector<Cell>& row) {
  json.begin_object();
  write_members(json, records.names, row);
  json.end_object();
}

std::string header_line(const std::vector<std::string>& names, RowForm form) {
  return form == RowForm::Csv ? csv_line(names) : std::string();
}

std::string row_line(const std::vector<std::string>& names, const std::vector<Cell>& row, RowForm form) {
  if (form == RowForm::Csv) return csv_line(exact(row));
  JsonWriter json(JsonWriter::Layout::OneLine);
  write_members(json.begin_object(), names, row);
  return json.end_object().text();
}

std::string row_start(const std::vector<std::string>& names, std::span<const Cell> first, RowForm form) {
  JsonWriter json(JsonWriter::Layout::OneLine);
  if (form == RowForm::JsonLines) write_members(json.begin_object(), names, first);
  std::string line = form == RowForm::Csv ? csv_line(exact(first)) : json.text();
  line.erase(line.find_last_not_of("\r\n") + 1);
  return first.empty() ? line : line + ',';
}

}  // namespace warpipe
