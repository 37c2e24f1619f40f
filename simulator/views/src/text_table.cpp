#include "warpipe/views/text_table.hpp"

#include <algorithm>
#include <cassert>

#include "warpipe/idg/printable.hpp"

namespace warpipe {

std::size_t width_of(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string kernel_on_device(std::string_view kernel, std::string_view device, std::string_view title) {
  std::string text = printable(kernel) + " on " + printable(device);
  return title.empty() ? text : text + ", " + printable(title);
}

void TextTable::add(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::string> titles;
  for (const auto& column : columns_) titles.push_back(column.title);

  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths.push_back(std::max(width_of(titles[i]), columns_[i].width));
    if (columns_[i].width > 0) continue;
    for (const auto& row : rows_) widths[i] = std::max(widths[i], width_of(row[i]));
  }

  std::string result;
  const auto print = [&](const std::vector<std::string>& cells) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths[i] - std::min(widths[i], width_of(cells[i])), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Align::Right ? padding + cells[i] : cells[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  };
  if (std::ranges::any_of(titles, [](const std::string& title) { return !title.empty(); })) print(titles);
  for (const auto& row : rows_) print(row);
  return result;
}

}  // namespace warpipe
