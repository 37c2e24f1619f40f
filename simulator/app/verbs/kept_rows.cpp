#include "verbs/kept_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "warpipe/idg/error.hpp"

namespace warpipe::app {
namespace {

/// Reads rows with their ends. A quoted cell of CSV may hold line breaks.
class RowReader {
 public:
  RowReader(const std::string& file, RowForm form) : stream_(file, std::ios::binary), form_(form) {
    if (stream_ || !std::filesystem::exists(file)) return;
    throw InputError(Diagnostic{file, "the rows of the earlier run cannot be read", "",
                                "check the permissions of the file, or leave --resume out"});
  }

  /// @return the next row; nothing where the file ends before it does
  std::optional<std::string> next() {
    rest_.clear();
    bool quoted = false;
    for (std::string line; std::getline(stream_, line);) {
      rest_ += line;
      if (stream_.eof()) break;
      rest_ += '\n';
      quoted ^= std::ranges::count(line, '"') % 2 != 0;
      if (form_ == RowForm::JsonLines || (line.ends_with('\r') && !quoted)) return rest_;
    }
    return std::nullopt;
  }

  /// The rest of the file after the last whole row.
  const std::string& rest() const { return rest_; }

 private:
  std::ifstream stream_;
  RowForm form_;
  std::string rest_;
};

/// The cell at a position, and the number of cells before it.
struct Found {
  std::string_view cell = "nothing";
  std::size_t column = 0;
};

Found cell_at(std::string_view row, std::size_t position) {
  constexpr std::size_t kMostShown = 60;
  Found found;
  std::size_t begin = 0, end = 0;
  for (bool quoted = false; end < row.size() && (quoted || (row[end] != '\r' && row[end] != '\n')); ++end) {
    if (row[end] == '"') quoted = !quoted;
    if (row[end] != ',' || quoted) continue;
    if (end >= position) break;
    begin = end + (row.substr(end).starts_with(", ") ? 2 : 1);
    ++found.column;
  }
  if (end > begin) found.cell = row.substr(begin, std::min(end - begin, kMostShown));
  return found;
}

/// The name of a column, from the header.
std::string column_name(const ExpectedRows& expected, std::size_t column) {
  std::string_view names = expected.header;
  names = names.substr(0, names.find_first_of("\r\n"));
  for (std::size_t i = 0; i < column && !names.empty(); ++i) {
    names.remove_prefix(std::min(names.find(','), names.size() - 1) + 1);
  }
  return std::string(names.substr(0, names.find(',')));
}

/// The start of a row; after the last row, a text with which no row starts.
std::string start_of_row(const ExpectedRows& expected, std::size_t index) {
  return index < expected.count ? expected.start(index) : "\n";
}

bool one_starts_the_other(std::string_view a, std::string_view b) { return a.starts_with(b) || b.starts_with(a); }

}  // namespace

void refuse_row(const std::string& file, std::size_t line, const ExpectedRows& expected, const std::string& found,
                const std::string& wanted) {
  const auto difference = std::ranges::mismatch(found, wanted);
  const auto position = static_cast<std::size_t>(difference.in1 - found.begin());
  const Found there = cell_at(found, position), here = cell_at(wanted, position);
  std::string where = fmt::format("{}: line {}", file, line);
  if (line > 1 && !expected.header.empty()) {
    where += fmt::format(", column \"{}\"", column_name(expected, here.column));
  }
  throw InputError(Diagnostic{std::move(where),
                              fmt::format("the rows of another command: found {} instead of {}", there.cell, here.cell),
                              "", "repeat the command of these rows, or leave --resume out to start anew"});
}

KeptRows read_kept_rows(const std::string& file, const ExpectedRows& expected) {
  KeptRows kept;
  RowReader reader(file, expected.form);
  std::size_t line = 1;
  std::string wanted = expected.header.empty() ? start_of_row(expected, 0) : expected.header;
  while (const auto row = reader.next()) {
    if (!row->starts_with(wanted)) refuse_row(file, line, expected, *row, wanted);
    kept.bytes += row->size();
    if (kept.bytes > expected.header.size()) {
      if (expected.kept) expected.kept(kept.count, *row);
      ++kept.count;
      if (row->ends_with(expected.end_of_predicted)) ++kept.predicted;
      kept.last = *row;
      kept.last_line = line;
    }
    line += static_cast<std::size_t>(std::ranges::count(*row, '\n'));
    wanted = start_of_row(expected, kept.count);
  }
  if (!one_starts_the_other(reader.rest(), wanted)) refuse_row(file, line, expected, reader.rest(), wanted);
  return kept;
}

}  // namespace warpipe::app
