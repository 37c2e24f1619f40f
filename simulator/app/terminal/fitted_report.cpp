#include "terminal/fitted_report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "warpipe/views/text_table.hpp"
#include "warpipe/views/wrap.hpp"

namespace warpipe::app {
namespace {

constexpr std::size_t kGap = 2;          ///< blanks between columns of a table
constexpr std::size_t kLeastText = 8;    ///< columns: enough to read a part of source text
constexpr std::size_t kLeastWords = 16;  ///< columns: enough to read words

/// A line as a terminal shows it: a code point is a column.
using Line = std::vector<std::string_view>;

Line line_of(std::string_view text) {
  Line line;
  while (!text.empty()) {
    std::size_t size = 1;
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
    line.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return line;
}

bool is_blank(const Line& line, std::size_t at) { return at >= line.size() || line[at] == " "; }

std::size_t indent_of(const Line& line) {
  return static_cast<std::size_t>(std::ranges::find_if(line, [](auto c) { return c != " "; }) - line.begin());
}

/// A range of columns, without blanks at its end.
std::string part_of(const Line& line, std::size_t begin, std::size_t end) {
  std::string part;
  for (std::size_t i = begin; i < std::min(end, line.size()); ++i) part += line[i];
  part.erase(part.find_last_not_of(' ') + 1);
  return part;
}

/// Whether it has columns: two blanks behind its first word.
bool is_row(const Line& line) {
  for (std::size_t i = indent_of(line); i + 1 < line.size(); ++i)
    if (is_blank(line, i) && is_blank(line, i + 1)) return true;
  return false;
}

std::string cut(const std::string& text, std::size_t width) {
  const auto line = line_of(text);
  return line.size() <= width ? text : part_of(line, 0, width - 1) + "…";
}

/// Wraps a text, and repeats its indentation on each line.
std::string broken(const Line& line, std::size_t width) {
  const std::string indent(indent_of(line), ' ');
  const auto text = part_of(line, indent.size(), line.size());
  if (text.starts_with("warpipe ")) return indent + text + '\n';  // a command is copied as it is
  std::string result;
  for (const auto& part : wrap(text, width - std::min(width - 1, indent.size()))) result += indent + part + '\n';
  return result;
}

/// A column of a table, from its first place to the first place of the next.
struct Column {
  std::size_t begin = 0, end = 0;  ///< the end is without the gap
  std::size_t width() const { return end - begin; }
};

/// Between columns at least two places are blank in all rows.
std::vector<Column> columns_of(const std::vector<Line>& lines) {
  std::vector<bool> is_taken;
  for (const auto& line : lines) {
    if (!is_row(line)) continue;
    is_taken.resize(std::max(is_taken.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i)
      if (!is_blank(line, i)) is_taken[i] = true;
  }
  std::vector<Column> columns;
  for (std::size_t i = 0, end = 0; i < is_taken.size(); ++i) {
    if (!is_taken[i]) continue;
    if (columns.empty() || i >= end + kGap) columns.push_back({i});
    columns.back().end = end = i + 1;
  }
  if (!columns.empty()) columns.front().begin = 0;
  return columns;
}

/// A table wider than a terminal.
class WideTable {
 public:
  WideTable(std::vector<Line> lines, std::size_t width)
      : lines_(std::move(lines)), columns_(columns_of(lines_)), width_(width) {
    find_text();
    is_words_ = !is_text_ && columns_.size() > 1 && has_words();
  }

  /// The parts of the table, below each other.
  std::string text() const {
    std::string result;
    for (std::size_t begin = 1, end = 0; begin == 1 || begin < columns_.size(); begin = end) {
      end = end_of_part(begin);
      const bool is_text_alone = is_text_ && begin + 1 == columns_.size();
      if (begin == 1 || !is_text_alone) result += part(begin, end);
    }
    return result;
  }

 private:
  /// Source text may have blanks below each other, which begin no column.
  void find_text() {
    constexpr std::string_view kTitle = "text";
    for (const auto& line : lines_) {
      if (line.size() < kTitle.size() + kGap) continue;
      const auto begin = line.size() - kTitle.size();
      if (part_of(line, begin - kGap, line.size()) != "  text") continue;
      is_text_ = true;
      std::erase_if(columns_, [&](const Column& each) { return each.begin >= begin; });
      columns_.push_back({begin, begin + kLeastText});
      return;
    }
  }

  /// Whether the cells of the last column begin below each other, and one has a blank.
  bool has_words() const {
    bool found = false;
    for (const auto& line : lines_) {
      const auto cell = is_row(line) ? part_of(line, columns_.back().begin, line.size()) : "";
      if (cell.starts_with(' ')) return false;
      found = found || cell.find(' ') != std::string::npos;
    }
    return found;
  }

  bool is_soft(std::size_t column) const { return column + 1 == columns_.size() && (is_text_ || is_words_); }

  /// @return where a column of the part from `begin` on stands
  std::size_t place(std::size_t column, std::size_t begin) const {
    if (begin == 1) return columns_[column].begin;
    return columns_.front().width() + kGap + columns_[column].begin - columns_[begin].begin;
  }

  /// @return the first column without room in the part from `begin` on, which always has room for a column
  std::size_t end_of_part(std::size_t begin) const {
    for (std::size_t i = begin + 1; i < columns_.size(); ++i) {
      const auto needed = is_soft(i) ? std::min(columns_[i].width(), kLeastWords) : columns_[i].width();
      if (place(i, begin) + needed > width_) return i;
    }
    return columns_.size();
  }

  /// Rows without a cell in the part stand in the first part alone; so do lines other than rows.
  std::string part(std::size_t begin, std::size_t end) const {
    std::string result;
    for (const auto& line : lines_) {
      const bool has_cells = !part_of(line, columns_[begin].begin, columns_[end - 1].end).empty();
      if (!is_row(line) && begin == 1)
        result += part_of(line, 0, line.size()) + '\n';
      else if (is_row(line) && (has_cells || begin == 1))
        result += row(line, begin, end) + '\n';
    }
    return result;
  }

  std::string row(const Line& line, std::size_t begin, std::size_t end) const {
    auto result = part_of(line, 0, columns_.front().end);
    const auto add = [&](std::size_t at, const std::string& cells) {
      if (!cells.empty()) result.append(at - std::min(at, width_of(result)), ' ').append(cells);
    };
    const auto last = is_soft(end - 1) ? end - 1 : end;
    if (last > begin) add(place(begin, begin), part_of(line, columns_[begin].begin, columns_[last - 1].end));
    if (last < end)
      add(place(last, begin), last_cell(part_of(line, columns_[last].begin, line.size()), place(last, begin)));
    return result;
  }

  std::string last_cell(const std::string& cell, std::size_t at) const {
    const auto room = width_ - std::min(width_ - 1, at);
    if (is_text_) return cut(cell, room);
    std::string result;
    for (const auto& words : wrap(cell, room)) result += (result.empty() ? "" : '\n' + std::string(at, ' ')) + words;
    return result;
  }

  std::vector<Line> lines_;
  std::vector<Column> columns_;
  std::size_t width_;
  bool is_text_ = false, is_words_ = false;  ///< its last column is source text, or words
};

std::string fitted_table(const std::vector<Line>& lines, std::size_t width) {
  const bool is_wide = std::ranges::any_of(lines, [&](const Line& line) { return line.size() > width; });
  if (is_wide && columns_of(lines).size() > 1) return WideTable(lines, width).text();
  std::string result;
  for (const auto& line : lines) result += part_of(line, 0, line.size()) + '\n';
  return result;
}

/// A block has no empty line: rows and short lines make tables; the words between tables are wrapped.
std::string fitted_block(const std::vector<std::string_view>& block, std::size_t width) {
  std::string result;
  std::vector<Line> table;
  for (const auto text : block) {
    auto line = line_of(text);
    if (line.size() <= width || is_row(line)) {
      table.push_back(std::move(line));
      continue;
    }
    result += fitted_table(std::exchange(table, {}), width) + broken(line, width);
  }
  return result + fitted_table(table, width);
}

}  // namespace

std::string fitted_report(std::string_view report, std::size_t width) {
  std::string result;
  std::vector<std::string_view> block;
  while (!report.empty()) {
    const auto end = std::min(report.find('\n'), report.size());
    if (end > 0) block.push_back(report.substr(0, end));
    report.remove_prefix(std::min(end + 1, report.size()));
    if (end > 0 && !report.empty()) continue;
    result += fitted_block(std::exchange(block, {}), width);
    if (end == 0) result += '\n';
  }
  return result;
}

bool is_wider(std::string_view report, std::size_t width) {
  while (!report.empty()) {
    const auto end = std::min(report.find('\n'), report.size());
    if (width_of(report.substr(0, end)) > width) return true;
    report.remove_prefix(std::min(end + 1, report.size()));
  }
  return false;
}

}  // namespace warpipe::app
