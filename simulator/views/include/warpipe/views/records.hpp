#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/idg/units.hpp"
#include "warpipe/views/text_table.hpp"

/// Tables of results.

namespace warpipe {

/// The forms of a table with independent rows, to be written as they come: RFC 4180 below a header, or a JSON object
/// per line.
enum class RowForm { Csv, JsonLines };

/// A value of a table; monostate: none.
using Cell = std::variant<std::monostate, std::int64_t, double, Ticks, std::string>;

/// @return `maybe` as a cell
template <class T>
Cell cell(const std::optional<T>& maybe) {
  return maybe ? Cell(*maybe) : Cell();
}
/// @return a text as a cell; none for an empty text
inline Cell text_cell(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

/// Rows under names: the only source of a table's text, CSV and JSON, so they cannot disagree.
struct Records {
  std::vector<std::string> names;
  std::vector<std::vector<Cell>> rows;  ///< as many cells as names
};

/// For people: fractions with six significant digits; a column without any value is left out.
TextTable table_of(const Records& records);
/// The same as aligned columns.
std::string to_text(const Records& records);
/// RFC 4180, a header first; numbers in their shortest exact form.
std::string to_csv(const Records& records);
/// A row as a JSON object.
void write_record(JsonWriter& json, const Records& records, const std::vector<Cell>& row);

/// The line above the rows; empty for JSON lines.
std::string header_line(const std::vector<std::string>& names, RowForm form);
/// A row, ended as the form ends it.
std::string row_line(const std::vector<std::string>& names, const std::vector<Cell>& row, RowForm form);
/// The start of a row with these first cells, with the comma behind them.
std::string row_start(const std::vector<std::string>& names, std::span<const Cell> first, RowForm form);

}  // namespace warpipe
