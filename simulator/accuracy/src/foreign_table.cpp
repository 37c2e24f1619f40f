#include "foreign_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "warpipe/idg/number.hpp"

namespace warpipe {
namespace {

/// A line of the file and where it begins.
struct FileLine {
  std::string_view text;
  std::size_t begin = 0, number = 1;
};

/// Calls `take` with each line until it returns true.
template <class Take>
bool any_line(std::string_view text, const Take& take) {
  std::size_t begin = 0;
  for (std::size_t number = 1; begin < text.size(); ++number) {
    const auto end = std::min(text.find('\n', begin), text.size());
    if (take(FileLine{text.substr(begin, end - begin), begin, number})) return true;
    begin = end + 1;
  }
  return false;
}

/// Whether a line is a profiler's message among the lines of its table.
bool is_message(std::string_view line) { return line.starts_with("=="); }

/// The cells of a line with all these columns; else none.
std::vector<std::string> header_cells(std::string_view line, std::span<const std::string_view> columns) {
  if (is_message(line)) return {};
  const auto is_there = [&](std::string_view column) { return line.find(column) != std::string_view::npos; };
  if (!std::ranges::all_of(columns, is_there) || line.find('\0') != std::string_view::npos) return {};
  CsvProblems ignored("");
  const auto rows = read_csv(line, ignored);
  if (rows.empty()) return {};
  const auto& cells = rows.front().cells;
  const auto is_cell = [&](std::string_view column) { return std::ranges::find(cells, column) != cells.end(); };
  return std::ranges::all_of(columns, is_cell) ? cells : std::vector<std::string>();
}

/// The text with all messages emptied.
std::string without_messages(std::string_view text) {
  std::string result;
  any_line(text, [&](const FileLine& line) {
    if (!is_message(line.text)) result += line.text;
    result += '\n';
    return false;
  });
  return result;
}

constexpr std::array<std::pair<std::string_view, double>, 12> kNanoseconds{{{"ns", 1},
                                                                            {"nsec", 1},
                                                                            {"nsecond", 1},
                                                                            {"us", 1e3},
                                                                            {"usec", 1e3},
                                                                            {"usecond", 1e3},
                                                                            {"ms", 1e6},
                                                                            {"msec", 1e6},
                                                                            {"msecond", 1e6},
                                                                            {"s", 1e9},
                                                                            {"sec", 1e9},
                                                                            {"second", 1e9}}};

}  // namespace

std::optional<double> grouped_number(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto whole = text.substr(0, text.find('.'));
  if (whole.find(',') == std::string_view::npos) return parse_number(text);
  std::string plain;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const bool is_comma_place = (whole.size() - i) % 4 == 0;
    if (is_comma_place != (whole[i] == ',') || (!is_comma_place && !is_digit(whole[i]))) return std::nullopt;
    if (!is_comma_place) plain += whole[i];
  }
  if (!is_digit(whole.front())) return std::nullopt;
  return parse_number(plain.append(text.substr(whole.size())));
}

std::int64_t groups_along(std::int64_t items, std::int64_t group_size) {
  return items / group_size + (items % group_size != 0 ? 1 : 0);
}

bool ForeignTable::is_in(std::string_view text, std::span<const std::string_view> columns) {
  return any_line(text, [&](const FileLine& line) { return !header_cells(line.text, columns).empty(); });
}

ForeignTable::ForeignTable(std::string_view text, const std::string& file, std::span<const std::string_view> columns)
    : problems_(file) {
  FileLine header;
  any_line(text, [&](const FileLine& line) {
    columns_ = header_cells(line.text, columns);
    header = line;
    return !columns_.empty();
  });
  for (std::size_t i = 0; i < columns_.size(); ++i) index_of_.emplace(columns_[i], i);
  rows_ = read_csv(without_messages(text.substr(header.begin)), problems_);
  rows_.erase(rows_.begin());
  for (CsvRow& row : rows_) row.line += header.number - 1;
  std::erase_if(rows_, [&](const CsvRow& row) {
    if (row.cells.size() == columns_.size()) return false;
    problems_.add(row.line, "", fmt::format("a row must have a cell for each of the {} columns", columns_.size()),
                  fmt::format("found {}", row.cells.size()), "keep the lines of one table only");
    return true;
  });
}

bool ForeignTable::has(std::string_view column) const { return index_of_.contains(column); }

const std::string& ForeignTable::cell(const CsvRow& row, std::string_view column) const {
  static const std::string kNone;
  const auto found = index_of_.find(column);
  return found == index_of_.end() ? kNone : row.cells[found->second];
}

void ForeignTable::fail(const CsvRow& row, std::string_view column, std::string problem, std::string advice) {
  const auto& found = cell(row, column);
  problems_.add(row.line, column, std::move(problem), found.empty() ? "found nothing" : fmt::format("found {}", found),
                std::move(advice));
}

std::optional<std::int64_t> ForeignTable::whole(const CsvRow& row, std::string_view column) {
  const auto number = grouped_number(cell(row, column));
  if (number && is_whole(*number, 1)) return static_cast<std::int64_t>(*number);
  fail(row, column, "a launch must have whole numbers from 1 to 2^53", "");
  return std::nullopt;
}

std::optional<double> ForeignTable::microseconds(const CsvRow& row, std::string_view column, std::string_view unit) {
  const auto* scale = std::ranges::find(kNanoseconds, unit, &std::pair<std::string_view, double>::first);
  if (scale == kNanoseconds.end()) {
    fail(row, column, fmt::format("\"{}\" is no unit of time", unit), "write times in ns, us, ms or s");
    return std::nullopt;
  }
  const auto number = grouped_number(cell(row, column));
  const double time = number.value_or(0) * scale->second / 1e3;
  if (time > 0 && std::isfinite(time)) return time;
  fail(row, column, "a measured time must be a number above 0", "remove the row, or print numbers as in 1,234.5");
  return std::nullopt;
}

std::optional<std::int64_t> ForeignTable::time_stamp(const CsvRow& row, std::string_view column) {
  const auto& text = cell(row, column);
  std::int64_t stamp = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), stamp);
  if (error == std::errc() && end == text.data() + text.size() && stamp >= 0) return stamp;
  fail(row, column, "a time stamp must be a whole number of nanoseconds", "");
  return std::nullopt;
}

std::optional<double> ForeignTable::microseconds_between(const CsvRow& row, std::string_view begin,
                                                         std::string_view end) {
  const auto from = time_stamp(row, begin), to = time_stamp(row, end);
  if (!from || !to) return std::nullopt;
  if (*to > *from) return static_cast<double>(*to - *from) / 1e3;
  fail(row, end, fmt::format("a kernel must end after it began, at {}", *from), "remove the row");
  return std::nullopt;
}

}  // namespace warpipe
