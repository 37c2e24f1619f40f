#include "lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace warpipe::amdgcn {
namespace {

bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The start of a comment: `;`, or `//`, which never stands in an operand.
std::size_t comment_of(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (line[i] == ';' || (line[i] == '/' && i + 1 < line.size() && line[i + 1] == '/')) return i;
  }
  return line.size();
}

/// Cuts at commas and blanks outside brackets; a part behind a blank is a modifier.
void split_operands(std::string_view text, TextInstruction& made) {
  int depth = 0;
  std::string part;
  bool operand = true;  // the next part is an operand
  bool quoted = false;
  const auto flush = [&] {
    if (part.empty()) return;
    (operand ? made.operands : made.modifiers).push_back(part);
    part.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    const bool cuts = depth <= 0 && !quoted && (c == ',' || c == ' ' || c == '\t');
    if (!cuts) {
      if (c != ' ' && c != '\t') part += c;
      continue;
    }
    if (c == ',') {
      flush();
      operand = true;
      continue;
    }
    if (part.empty()) continue;
    flush();
    operand = false;
  }
  flush();
}

/// Modifiers in a place of an operand.
bool is_modifier(const std::string& part) {
  static constexpr std::array<std::string_view, 26> kWords{
      "glc", "slc",   "dlc",  "sc0", "sc1",   "nt",   "lds",   "offen", "idxen", "addr64", "gds", "tfe", "clamp",
      "scc", "unorm", "done", "vm",  "compr", "high", "mul:2", "mul:4", "div:2", "r128",   "a16", "d16", "fi"};
  if (std::ranges::find(kWords, part) != kWords.end()) return true;
  const auto colon = part.find(':');
  return colon != std::string::npos && colon > 0 && part.find('[') > colon && is_name_part(part[0]) &&
         std::isdigit(static_cast<unsigned char>(part[0])) == 0 && part.find('@') == std::string::npos;
}

bool is_wait(std::string_view name) {
  return name.starts_with("s_waitcnt") || name.starts_with("s_delay_alu") || name == "s_wait_event";
}

void cut_encoding(TextInstruction& made) {
  for (const std::string_view ending : {"_e32", "_e64", "_sdwa", "_dpp", "_dpp8", "_e64_dpp"}) {
    if (!made.name.ends_with(ending)) continue;
    made.name.resize(made.name.size() - ending.size());
    made.encoding = ending.ends_with("dpp") ? "dpp" : std::string(ending.substr(1));
    if (made.name.ends_with("_e64")) made.name.resize(made.name.size() - 4);
    return;
  }
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  bool negative = false;
  if (text.starts_with('-')) {
    negative = true;
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - number : number);
}

CodeLine code_of(std::string_view line) {
  CodeLine made;
  const auto cut = comment_of(line);
  made.text = trimmed(line.substr(0, cut));
  auto comment = line.substr(cut);
  if (!comment.starts_with("//")) return made;
  comment = trimmed(comment.substr(2));
  const auto colon = comment.find(':');
  std::uint64_t address = 0;
  if (colon == std::string_view::npos || colon == 0) return made;
  const auto [end, error] = std::from_chars(comment.data(), comment.data() + colon, address, 16);
  if (error != std::errc{} || end != comment.data() + colon) return made;
  made.address = address;
  const auto open = comment.find('<', colon), close = comment.find('>', colon);
  if (open != std::string_view::npos && close != std::string_view::npos && close > open)
    made.target = comment.substr(open + 1, close - open - 1);
  return made;
}

std::optional<TextInstruction> parse_instruction(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_name_part(text[end])) ++end;
  if (end == 0 || (end < text.size() && text[end] != ' ' && text[end] != '\t')) return std::nullopt;
  if (std::islower(static_cast<unsigned char>(text[0])) == 0) return std::nullopt;
  TextInstruction made;
  made.name = text.substr(0, end);
  made.text = text;
  std::ranges::replace(made.text, '\t', ' ');
  cut_encoding(made);
  split_operands(text.substr(end), made);
  if (is_wait(made.name)) {
    // "s_waitcnt vmcnt(0) & lgkmcnt(0)": all of them are alike.
    made.modifiers.insert(made.modifiers.begin(), made.operands.begin(), made.operands.end());
    made.operands.clear();
    return made;
  }
  const auto first = std::ranges::find_if(made.operands, is_modifier);
  made.modifiers.insert(made.modifiers.begin(), first, made.operands.end());
  made.operands.erase(first, made.operands.end());
  return made;
}

}  // namespace warpipe::amdgcn
