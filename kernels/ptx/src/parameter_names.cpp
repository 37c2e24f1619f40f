#include <algorithm>
#include <cctype>

#include "warpipe/ptx/launch.hpp"

namespace warpipe::ptx {
namespace {

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The last name of a declaration: "n" of "const float* __restrict__ n".
std::string declared_name(std::string_view declaration) {
  declaration = declaration.substr(0, std::min(declaration.find('='), declaration.find('[')));
  auto end = declaration.size();
  while (end > 0 && !is_in_name(declaration[end - 1])) --end;
  auto begin = end;
  while (begin > 0 && is_in_name(declaration[begin - 1])) --begin;
  return std::string(declaration.substr(begin, end - begin));
}

/// Where the parenthesis closes that is open at a place.
std::size_t closing(std::string_view text, std::size_t open) {
  if (open == std::string_view::npos) return open;
  int depth = 0;
  for (auto at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

/// The names of a list of declarations, at whose commas it is cut: not those between parentheses, braces, or the
/// brackets of a template.
std::vector<std::string> declared_names(std::string_view list) {
  std::vector<std::string> names;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (c != ',' || (depth > 0 && at < list.size())) continue;
    if (!list.empty()) names.push_back(declared_name(list.substr(begin, at - begin)));
    begin = at + 1;
  }
  return names;
}

/// An entry's name, or the name in it where it is mangled: "_Z5saxpyifPf" names saxpy.
bool names_function(std::string_view entry, std::string_view function) {
  if (entry == function) return true;
  return entry.starts_with("_Z") &&
         entry.find(std::to_string(function.size()) + std::string(function)) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> parameter_names(std::string_view source, std::string_view entry) {
  constexpr auto kNone = std::string_view::npos;
  for (auto at = source.find("__global__"); at != kNone; at = source.find("__global__", at + 1)) {
    auto open = source.find('(', at);
    auto close = closing(source, open);
    if (close != kNone && declared_name(source.substr(at, open - at)) == "__launch_bounds__") {
      at = close;
      open = source.find('(', at);
      close = closing(source, open);
    }
    if (close == kNone) break;
    if (!names_function(entry, declared_name(source.substr(at, open - at)))) continue;
    return declared_names(source.substr(open + 1, close - open - 1));
  }
  return {};
}

}  // namespace warpipe::ptx
