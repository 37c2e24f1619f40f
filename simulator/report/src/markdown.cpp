#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "warpipe/idg/printable.hpp"
#include "warpipe/report/page.hpp"

namespace warpipe {
namespace {

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// @return the text in a line, with Markdown markup escaped; inside a word a _ is no markup
std::string escape_markdown(const std::string& given) {
  constexpr std::string_view kMarkup = "\\`*[]<>|~&#_";
  std::string text;
  const std::string shown = printable(given);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const bool in_word =
        i > 0 && i + 1 < shown.size() && is_letter_or_digit(shown[i - 1]) && is_letter_or_digit(shown[i + 1]);
    if (kMarkup.find(shown[i]) != std::string_view::npos && !(shown[i] == '_' && in_word)) text += '\\';
    text += shown[i];
  }
  return text;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const auto& cell : cells) line += cell.empty() ? " |" : fmt::format(" {} |", cell);
  return line + "\n";
}

/// @param heading  above the table; a caption of the same words is left out
std::string markdown_table(const PageTable& table, const std::string& heading) {
  std::vector<std::string> titles, rules;
  for (const auto& column : table.columns) {
    titles.push_back(escape_markdown(column.title));
    rules.emplace_back(column.is_number ? "---:" : "---");
  }
  const bool has_caption = table.caption != heading;
  std::string text = (has_caption ? fmt::format("\n{}:\n\n", escape_markdown(table.caption)) : "\n") +
                     markdown_row(titles) + markdown_row(rules);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::vector<std::string> cells;
    for (const auto& cell : table.rows[i])
      cells.push_back(table.here == i && !cell.empty() ? fmt::format("**{}**", escape_markdown(cell))
                                                       : escape_markdown(cell));
    text += markdown_row(cells);
  }
  return text;
}

std::string markdown_paragraph(const std::string& text) {
  return text.empty() ? "" : "\n" + escape_markdown(text) + "\n";
}

std::string markdown_section(const Section& section) {
  if (section.tables.empty() && (!section.figures.empty() || section.text.empty())) return {};
  std::string text = fmt::format("\n## {}\n", escape_markdown(section.title)) + markdown_paragraph(section.text);
  for (const auto& one : section.tables) text += markdown_table(one, section.title);
  return text;
}

}  // namespace

std::string write_markdown(const Page& page) {
  std::string text = fmt::format("# {}\n", escape_markdown(page.title)) + markdown_paragraph(page.subtitle) +
                     markdown_paragraph(page.sentence);
  for (const auto& [name, value] : page.facts)
    text += fmt::format("{}- {}: {}\n", &name == &page.facts.front().first ? "\n" : "", escape_markdown(name),
                        escape_markdown(value));
  for (const auto& one : page.sections) text += markdown_section(one);
  return text;
}

}  // namespace warpipe
