#include "warpipe/accuracy/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpipe {
namespace {

constexpr std::size_t kMostShown = 20;
constexpr std::size_t kMostShownBytes = 80;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t";

class CsvReader {
 public:
  CsvReader(std::string_view text, CsvProblems& problems) : text_(text), problems_(problems) {
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  std::vector<CsvRow> read() {
    std::vector<CsvRow> rows;
    for (skip_blanks(); !text_.empty(); skip_blanks()) {
      if (!at_line_end()) rows.push_back(read_row());
      if (!text_.empty()) take_line_end();
    }
    return rows;
  }

 private:
  bool at(char character) const { return !text_.empty() && text_.front() == character; }
  bool at_line_end() const { return at('\n') || at('\r'); }

  void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(kBlanks), text_.size())); }

  std::string_view take(std::size_t count) {
    const std::string_view taken = text_.substr(0, count);
    text_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view take_line_end() {
    ++line_;
    return take(text_.starts_with("\r\n") ? 2 : 1);
  }

  /// The text before the next comma or line end.
  std::string_view take_plain() { return take(text_.find_first_of(",\r\n")); }

  CsvRow read_row() {
    CsvRow row{.line = line_, .cells = {read_cell()}};
    while (at(',')) {
      take(1);
      row.cells.push_back(read_cell());
    }
    return row;
  }

  std::string read_cell() {
    skip_blanks();
    if (at('"')) return read_quoted();
    std::string_view cell = take_plain();
    cell = cell.substr(0, cell.find_last_not_of(kBlanks) + 1);
    if (cell.find('"') != std::string_view::npos) {
      problems_.add(line_, "", "quotes must stand around a whole cell", fmt::format("found {}", cell),
                    "put the cell in quotes and double those inside");
    }
    return std::string(cell);
  }

  std::string read_quoted() {
    const std::size_t start = line_;
    take(1);
    std::string cell;
    for (;;) {
      cell += take(text_.find_first_of("\"\r\n"));
      if (text_.empty()) {
        problems_.add(start, "", "a quoted cell is not closed", "", "close the quote that opens in this line");
        return cell;
      }
      if (at_line_end()) {
        cell += take_line_end();
      } else if (text_.starts_with("\"\"")) {
        cell += take(2).front();
      } else {
        break;
      }
    }
    take(1);
    skip_blanks();
    if (const std::string_view rest = take_plain(); !rest.empty()) {
      problems_.add(line_, "", "a comma or a line end must follow a closing quote", fmt::format("found {}", rest),
                    "double the quotes inside a quoted cell");
    }
    return cell;
  }

  std::string_view text_;
  CsvProblems& problems_;
  std::size_t line_ = 1;
};

/// The part of a cell for a message: a cell may be as long as the file.
std::string shortened(std::string_view text) {
  if (text.size() <= kMostShownBytes) return std::string(text);
  std::size_t end = kMostShownBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 character
  return std::string(text.substr(0, end)) + "...";
}

void refuse_nul(std::string_view text, CsvProblems& problems) {
  const auto nul = text.find('\0');
  if (nul == std::string_view::npos) return;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
  problems.add(static_cast<std::size_t>(line), "", "a NUL byte: this is not text", "", "save it as UTF-8");
  problems.throw_if_any();
}

}  // namespace

void CsvProblems::add(std::size_t line, std::string_view column, std::string problem, std::string_view found,
                      std::string advice) {
  if (shown_.size() == kMostShown) {
    ++hidden_;
    return;
  }
  std::string where = file_;
  if (line > 0) where += fmt::format(": line {}", line);
  if (!column.empty()) where += fmt::format(", column \"{}\"", shortened(column));
  shown_.push_back({std::move(where), std::move(problem), shortened(found), std::move(advice)});
}

void CsvProblems::throw_if_any() const {
  if (shown_.empty()) return;
  std::vector<Diagnostic> all = shown_;
  if (hidden_ > 0) all.push_back({file_, fmt::format("{} more problems of this file are not shown", hidden_), "", ""});
  throw InputError(std::move(all));
}

std::vector<CsvRow> read_csv(std::string_view text, CsvProblems& problems) {
  refuse_nul(text, problems);
  return CsvReader(text, problems).read();
}

}  // namespace warpipe
