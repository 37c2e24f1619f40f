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

/// An entry's name, or the name in it where it is mangled: "_Z5saxpyifPf" names saxpy.
bool names_function(std::string_view entry, std::string_view function) {
  if (entry == function) return true;
  return entry.starts_with("_Z") &&
         entry.find(std::to_string(function.size()) + std::string(function)) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> parameter_names(std::string_view source, std::string_view entry) {
  for (auto at = source.find("__global__"); at != std::string_view::npos; at = source.find("__global__", at + 1)) {
    const auto open = source.find('(', at);
    if (open == std::string_view::npos) break;
    if (!names_function(entry, declared_name(source.substr(at, open - at)))) continue;
    const auto close = source.find(')', open);
    if (close == std::string_view::npos) break;
    std::vector<std::string> names;
    auto list = source.substr(open + 1, close - open - 1);
    while (!list.empty()) {
      const auto comma = std::min(list.find(','), list.size());
      names.push_back(declared_name(list.substr(0, comma)));
      list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return names;
  }
  return {};
}

}  // namespace warpipe::ptx
