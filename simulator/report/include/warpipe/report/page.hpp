#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// A page before it has a form. All texts are as anybody wrote them: the writers alone escape.

namespace warpipe {

/// A picture drawn by the page itself.
struct Figure {
  enum class Kind { Chart, Graph };
  Kind kind = Kind::Chart;
  std::string id = {};           ///< of its place in the page: "run-time"
  std::string title = {};        ///< with the unit, if any
  std::string caption = {};      ///< how to read it; may be empty
  std::string description = {};  ///< the picture in words, for readers who do not see it
  std::string content = {};      ///< JSON: a Vega-Lite specification, or an object of format "warpipe-graph"
};

/// A table of texts.
struct PageTable {
  struct Column {
    std::string title;
    bool is_number = false;
    bool is_code = false;  ///< of a program, with its blanks
  };
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  ///< as many cells as columns
  std::optional<std::size_t> here = {};        ///< the row to find at a glance
};

/// Figures with their tables.
struct Section {
  std::string title, text;
  std::vector<Figure> figures;
  std::vector<PageTable> tables;
  bool are_multiples = false;  ///< the figures: small, side by side
};

struct Page {
  std::string title, subtitle;
  std::vector<std::pair<std::string, std::string>> facts;  ///< the most important numbers, at the top
  std::vector<Section> sections;
  std::string sentence = {};  ///< the conclusion, above the facts; may be empty
};

/// Writes an HTML file with style, scripts, data and licences in it, without need of other files.
/// @throws InputError as require_charts
std::string write_html(const Page& page);

/// Writes titles, facts, texts and tables as Markdown with the tables of GitHub; a section of nothing but figures is
/// left out.
///
///     # saxpy on v100: models
///
///     ## Models beside the simulation
///
///     | groups | warps |
///     | ---: | ---: |
///     | 1 | 8 |
std::string write_markdown(const Page& page);

/// Writes the page between its head and the licences: titles, facts, and the sections with places for figures.
std::string write_body(const Page& page);

/// The figures of a page for page.js: a JSON array of id, kind and content, without the start of any HTML element.
std::string write_figures(const Page& page);

/// @return the text with HTML markup escaped and invalid UTF-8 replaced
std::string escape_html(const std::string& text);

}  // namespace warpipe
