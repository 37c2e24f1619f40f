#include "warpipe/report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "resources.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/report/html.hpp"

namespace warpipe {
namespace {

using Json = nlohmann::ordered_json;

/// Names come from files and command lines: invalid UTF-8 in them is replaced.
std::string as_json(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// JSON for a script element: nothing in it ends the element or begins a comment.
std::string in_script(std::string json) {
  std::string safe;
  for (const char c : json) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

std::string facts(const Page& page) {
  std::string html;
  for (const auto& [name, value] : page.facts) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escape_html(name), escape_html(value));
  }
  return html.empty() ? html : "<dl class=\"facts\">\n" + html + "</dl>\n";
}

constexpr std::string_view kGraphLegend =
    R"html(<ul class="legend" aria-hidden="true">
<li><svg width="26" height="16"><rect x="1.5" y="1.5" width="23" height="13" rx="3" fill="none" stroke="var(--critical)" stroke-width="2.5"/></svg>critical path</li>
<li><svg width="26" height="16"><rect x="1" y="1" width="24" height="14" rx="3" fill="var(--recurrent-ground)" stroke="var(--soft)"/></svg>on a recurrence</li>
<li><svg width="26" height="16"><path d="M1,8H25" class="idg-edge carried"/></svg>over iterations (+1: the next)</li>
</ul>
)html";

std::string figure(const Figure& figure) {
  const bool is_graph = figure.kind == Figure::Kind::Graph;
  return fmt::format(
      "<figure>\n<h3>{}</h3>\n{}<div class=\"{}\" id=\"{}\" role=\"img\" aria-label=\"{}\"{}></div>\n{}</figure>\n",
      escape_html(figure.title), is_graph ? kGraphLegend : "", is_graph ? "graph" : "chart", figure.id,
      escape_html(figure.description), is_graph ? " tabindex=\"0\"" : "",
      figure.caption.empty() ? "" : fmt::format("<figcaption>{}</figcaption>\n", escape_html(figure.caption)));
}

constexpr std::size_t kLongestName = 36;  ///< kept on a line, as numbers are; a longer text is a sentence

/// Whether a table needs the width of the page.
bool is_wide(const PageTable& table) {
  constexpr std::size_t kMostBeside = 6;  // columns
  return table.columns.size() > kMostBeside || std::ranges::any_of(table.rows, [](const auto& row) {
           return std::ranges::any_of(row, [](const std::string& text) { return text.size() > kLongestName; });
         });
}

std::string cell(const std::string& text, const PageTable::Column& column, const char* element) {
  const char* kind = column.is_number             ? " class=\"number\""
                     : column.is_code             ? " class=\"code\""
                     : text.size() > kLongestName ? " class=\"sentence\""
                                                  : "";
  return fmt::format("<{0}{1}>{2}</{0}>", element, kind, escape_html(text));
}

std::string table(const PageTable& table) {
  std::string html = fmt::format(
      "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table>\n"
      "<caption>{0}</caption>\n<thead><tr>",
      escape_html(table.caption));
  for (const auto& column : table.columns) html += cell(column.title, column, "th");
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    html += table.here == row ? "<tr class=\"here\">" : "<tr>";
    for (std::size_t i = 0; i < table.columns.size(); ++i) html += cell(table.rows[row][i], table.columns[i], "td");
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

std::string section(const Section& section) {
  std::string figures, tables;
  for (const auto& one : section.figures) figures += figure(one);
  for (const auto& one : section.tables) tables += table(one);
  const char* multiples = section.are_multiples ? " class=\"multiples\"" : "";
  const bool both = !figures.empty() && !tables.empty() && std::ranges::none_of(section.tables, is_wide);
  return fmt::format(
      "<section>\n<h2>{}</h2>\n{}<div class=\"beside{}\">\n{}{}</div>\n</section>\n", escape_html(section.title),
      section.text.empty() ? "" : fmt::format("<p>{}</p>\n", escape_html(section.text)), both ? " with-tables" : "",
      figures.empty() ? "" : fmt::format("<div{}>\n{}</div>\n", multiples, figures),
      tables.empty() ? "" : "<div class=\"tables\">\n" + tables + "</div>\n");
}

/// The page cannot reach anything outside itself, whatever stands in it.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:";

std::string head(const Page& page) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"warpipe\">\n"
      "<title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style>\n</head>\n",
      kPolicy, escape_html(page.title), resource("page.css"));
}

std::string footer() {
  return fmt::format(
      "<footer>\n<p>Written by warpipe. Nothing is loaded from elsewhere.</p>\n"
      "<noscript><p>The figures are drawn by scripts, which are switched off; the tables hold their numbers.</p>"
      "</noscript>\n<details><summary>Licences of the drawing software in this file</summary>\n"
      "<pre>{}</pre></details>\n</footer>\n",
      escape_html(std::string(resource("licences.txt"))));
}

}  // namespace

std::string escape_html(const std::string& text) {
  std::string html;
  for (const char c : Json::parse(as_json(text)).get<std::string>()) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string write_figures(const Page& page) {
  Json list = Json::array();
  for (const auto& section : page.sections) {
    for (const auto& figure : section.figures) {
      const char* kind = figure.kind == Figure::Kind::Graph ? "graph" : "chart";
      list.push_back({{"id", figure.id}, {"kind", kind}, {"content", Json::parse(figure.content)}});
    }
  }
  return in_script(as_json(list));
}

std::string write_body(const Page& page) {
  const auto sentence =
      page.sentence.empty() ? "" : fmt::format("<p class=\"finding\">{}</p>\n", escape_html(page.sentence));
  auto html = fmt::format("<header>\n<h1>{}</h1>\n<p>{}</p>\n{}{}</header>\n<main>\n", escape_html(page.title),
                          escape_html(page.subtitle), sentence, facts(page));
  for (const auto& one : page.sections) html += section(one);
  return html + "</main>\n";
}

std::string write_html(const Page& page) {
  require_charts();
  std::string html = head(page) + "<body>\n" + write_body(page) + footer();
  html += fmt::format("<script type=\"application/json\" id=\"figures\">{}</script>\n", write_figures(page));
  html += resource("scripts.html");
  for (const char* script : {"graph.js", "page.js"}) html += fmt::format("<script>\n{}</script>\n", resource(script));
  return html + "</body>\n</html>\n";
}

bool has_charts() { return !resource("scripts.html").empty(); }

void require_charts() {
  if (has_charts()) return;
  throw InputError(Diagnostic{"`html`", "this program was built without the software that draws the charts", "",
                              "install npm and Node.js, and build it again"});
}

}  // namespace warpipe
