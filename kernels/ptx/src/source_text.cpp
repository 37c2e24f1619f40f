#include "source_text.hpp"

#include <algorithm>
#include <cctype>

namespace warpipe::ptx {
namespace {

constexpr auto kNowhere = std::string_view::npos;
constexpr std::size_t kMostExpanded = std::size_t{1} << 24;
constexpr std::size_t kLongestUse = std::size_t{1} << 13;

/// Puts blanks in the place of a stretch, and keeps its line breaks.
void blank_out(std::string& text, std::size_t from, std::size_t end) {
  for (auto at = from; at < std::min(end, text.size()); ++at)
    if (text[at] != '\n') text[at] = ' ';
}

/// The end of the string or character that begins at a place.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// A quote between digits parts them: 1'000.
bool parts_digits(std::string_view text, std::size_t at) {
  return text[at] == '\'' && at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
}

std::string without_comments(std::string text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    auto end = at;
    if (text.compare(at, 2, "//") == 0) {
      end = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "/*") == 0) {
      const auto close = text.find("*/", at + 2);
      end = close == std::string::npos ? text.size() : close + 2;
    } else if ((text[at] == '"' || text[at] == '\'') && !parts_digits(text, at)) {
      end = end_of_quoted(text, at);
    }
    if (end == at) continue;
    blank_out(text, at, end);
    at = end - 1;
  }
  return text;
}

struct Macro {
  std::string name;
  std::vector<std::string> parameters;
  std::string body;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

/// Reads "#define NAME(PARAMETERS) BODY" where the body declares a kernel.
void read_macro(std::string_view line, std::vector<Macro>& macros) {
  constexpr std::string_view kDefine = "define";
  if (line.find("__global__") == kNowhere) return;
  auto at = skip_blanks(line, 1);
  if (line.substr(at, kDefine.size()) != kDefine) return;
  at = skip_blanks(line, at + kDefine.size());
  const auto open = end_of_name(line, at);
  const auto close = open < line.size() && line[open] == '(' ? closing(line, open) : kNowhere;
  if (close == kNowhere) return;
  Macro macro{std::string(line.substr(at, open - at)), {}, std::string(line.substr(close + 1))};
  for (const auto part : split_list(line.substr(open + 1, close - open - 1)))
    macro.parameters.emplace_back(trimmed(part));
  std::ranges::replace(macro.body, '\\', ' ');
  std::ranges::replace(macro.body, '\n', ' ');
  macros.push_back(std::move(macro));
}

/// Takes the preprocessor's lines out of a text.
std::vector<Macro> take_macros(std::string& text) {
  std::vector<Macro> macros;
  for (std::size_t begin = 0; begin < text.size();) {
    auto end = std::min(text.find('\n', begin), text.size());
    const auto first = skip_blanks(text, begin);
    if (first < end && text[first] == '#') {
      while (end < text.size() && (text[end - 1] == '\\' || (text[end - 1] == '\r' && text[end - 2] == '\\')))
        end = std::min(text.find('\n', end + 1), text.size());
      read_macro(std::string_view(text).substr(first, end - first), macros);
      blank_out(text, begin, end);
    }
    begin = end + 1;
  }
  return macros;
}

/// The body with arguments for parameters; `##` joins its neighbours.
std::string expanded(const Macro& macro, const std::vector<std::string_view>& arguments) {
  std::string text;
  for (std::size_t at = 0; at < macro.body.size();) {
    if (macro.body.compare(at, 2, "##") == 0) {
      text.resize(trimmed(text).empty() ? 0 : text.find_last_not_of(' ') + 1);
      at = skip_blanks(macro.body, at + 2);
      continue;
    }
    const auto end = is_in_name(macro.body[at]) ? end_of_name(macro.body, at) : at + 1;
    const auto word = std::string_view(macro.body).substr(at, end - at);
    const auto found = std::ranges::find(macro.parameters, word);
    const auto index = static_cast<std::size_t>(found - macro.parameters.begin());
    text += found != macro.parameters.end() && index < arguments.size() ? trimmed(arguments[index]) : word;
    at = end;
  }
  return text;
}

void add_expansions(const Macro& macro, const SourcePiece& whole, std::size_t& size, std::vector<SourcePiece>& pieces) {
  const std::string_view text = whole.text;
  std::uint32_t line = 1;
  std::size_t counted = 0;
  for (auto at = text.find(macro.name); at != kNowhere; at = text.find(macro.name, at + 1)) {
    const auto open = skip_blanks(text, at + macro.name.size());
    const bool is_name = (at == 0 || !is_in_name(text[at - 1])) && end_of_name(text, at) == at + macro.name.size();
    const auto close = is_name && open < text.size() && text[open] == '('
                           ? closing(text.substr(0, open + kLongestUse), open)
                           : kNowhere;
    if (close == kNowhere) continue;
    line += static_cast<std::uint32_t>(std::ranges::count(text.substr(counted, at - counted), '\n'));
    counted = at;
    pieces.push_back({expanded(macro, split_list(text.substr(open + 1, close - open - 1))), line, true});
    size += pieces.back().text.size();
    if (size > kMostExpanded) return;
  }
}

}  // namespace

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && is_in_name(text[at])) ++at;
  return at;
}

std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  const char opens = text[open], closes = opens == '(' ? ')' : opens == '<' ? '>' : opens == '[' ? ']' : '}';
  for (auto at = open; at < text.size(); ++at) {
    if (text[at] == opens) ++depth;
    if (text[at] == closes && --depth == 0) return at;
    if (opens == '<' && (text[at] == ';' || text[at] == '{')) return kNowhere;  // less than
  }
  return kNowhere;
}

std::vector<std::string_view> split_list(std::string_view list) {
  std::vector<std::string_view> parts;
  if (trimmed(list).empty()) return parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < list.size(); ++at) {
    const char c = list[at];
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
    if (c != ',' || depth > 0) continue;
    parts.push_back(list.substr(begin, at - begin));
    begin = at + 1;
  }
  parts.push_back(list.substr(begin));
  return parts;
}

std::vector<SourcePiece> source_pieces(std::string_view source) {
  std::vector<SourcePiece> pieces{{without_comments(std::string(source))}};
  const auto macros = take_macros(pieces.front().text);
  std::size_t size = 0;
  for (const auto& macro : macros) {
    if (size > kMostExpanded) break;
    const SourcePiece whole = pieces.front();
    if (!macro.name.empty()) add_expansions(macro, whole, size, pieces);
  }
  return pieces;
}

}  // namespace warpipe::ptx
