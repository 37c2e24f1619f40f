#pragma once

#include <cstdint>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/accuracy/csv.hpp"

namespace warpipe {

/// A table as profilers print it: a CSV below unrelated lines, and between lines with == at their start.
class ForeignTable {
 public:
  /// @return whether a line of the text has all these columns
  static bool is_in(std::string_view text, std::span<const std::string_view> columns);

  /// @param columns  of a line of the text
  ForeignTable(std::string_view text, const std::string& file, std::span<const std::string_view> columns);

  CsvProblems& problems() { return problems_; }
  /// The rows below the header.
  const std::vector<CsvRow>& rows() const { return rows_; }
  const std::vector<std::string>& columns() const { return columns_; }
  bool has(std::string_view column) const;
  /// @return the cell of a row; empty where the column is missing
  const std::string& cell(const CsvRow& row, std::string_view column) const;

  /// The functions below add a problem and return nothing for an unexpected cell.

  /// A number of at least 1 and at most 2^53.
  std::optional<std::int64_t> whole(const CsvRow& row, std::string_view column);
  /// A time above 0, in microseconds.
  /// @param unit  "ns", "usecond", ...
  std::optional<double> microseconds(const CsvRow& row, std::string_view column, std::string_view unit);
  /// Nanoseconds from one time stamp to a later one, in microseconds.
  std::optional<double> microseconds_between(const CsvRow& row, std::string_view begin, std::string_view end);
  void fail(const CsvRow& row, std::string_view column, std::string problem, std::string advice);

 private:
  std::optional<std::int64_t> time_stamp(const CsvRow& row, std::string_view column);

  CsvProblems problems_;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t, std::less<>> index_of_;
  std::vector<CsvRow> rows_;
};

/// A number, perhaps with commas between each three digits: "1,205.00".
std::optional<double> grouped_number(std::string_view text);

/// @return a / b, rounded up
std::int64_t groups_along(std::int64_t items, std::int64_t group_size);

}  // namespace warpipe
