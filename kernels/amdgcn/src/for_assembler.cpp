#include "warpipe/amdgcn/for_assembler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "lines.hpp"
#include "metadata.hpp"
#include "target.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::amdgcn {
namespace {

bool is_in_symbol(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

/// Cuts the next symbol or number off a text; empty at its end.
std::string_view next_symbol(std::string_view& text) {
  const auto first = std::ranges::find_if(text, is_in_symbol);
  const auto last = std::find_if_not(first, text.end(), is_in_symbol);
  const std::string_view symbol(first, last);
  text = {last, text.end()};
  return symbol;
}

/// Macros, repetitions and conditions.
bool writes_others(std::string_view directive) {
  constexpr std::array<std::string_view, 7> kNames{".macro", ".rept", ".rep", ".irp", ".irpc", ".include", ".purgem"};
  return directive.starts_with(".if") || std::ranges::find(kNames, directive) != kNames.end();
}

/// The symbol given a value by a line: ".set a, 1", "a = 1"; empty for other lines.
std::string_view symbol_set(std::string_view line) {
  auto rest = line;
  const auto first = next_symbol(rest);
  if (first == ".set" || first == ".equ" || first == ".equiv") return next_symbol(rest);
  const auto behind = trimmed(rest);
  return behind.starts_with('=') && !behind.starts_with("==") ? first : std::string_view();
}

class Search {
 public:
  /// Whether a line, without its comment, needs an assembler.
  bool finds(std::string_view line) {
    if (line.empty()) return false;
    if (const auto symbol = symbol_set(line); !symbol.empty()) {
      symbols_.emplace(symbol);
      return false;
    }
    auto rest = line;
    const auto first = next_symbol(rest);
    if (first.starts_with('.')) return writes_others(first);
    while (!symbols_.empty() && !rest.empty())
      if (symbols_.contains(next_symbol(rest))) return true;
    return false;
  }

 private:
  std::set<std::string, std::less<>> symbols_;
};

/// "gfx90a:xnack-", as the text says it; empty where it does not.
std::string target_id(std::string_view text) {
  const auto directive = text.find(".amdgcn_target");
  if (directive == std::string_view::npos) return {};
  const auto line = text.substr(directive, text.find('\n', directive) - directive);
  const auto at = line.rfind("gfx");
  return at == std::string_view::npos ? "" : std::string(line.substr(at, line.find_first_of("\" \t\r", at) - at));
}

}  // namespace

std::optional<ForAssembler> for_assembler(std::string_view text, const std::string& file) {
  ForAssembler found{0, {}, target_id(text)};
  Search search;
  for (auto rest = text; !rest.empty();) {
    const auto end = rest.find('\n');
    const auto line = code_of(rest.substr(0, end)).text;
    ++found.line;
    if (search.finds(line)) {
      const auto target = target_of_triple(found.target);
      if (!target.empty() && find_target(target) == nullptr) throw InputError(unknown_target(file, target));
      found.text = line.substr(0, 60);
      return found;
    }
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return std::nullopt;
}

Diagnostic to_be_assembled(const ForAssembler& found, const std::string& file) {
  return {isa::at_line(file, found.line), "macros, repetitions, conditions and symbols are for an assembler",
          fmt::format("found \"{}\"", found.text),
          fmt::format("assemble it by `clang --target=amdgcn-amd-amdhsa -mcpu={} -nogpulib -c -o k.o {}`, and give k.o",
                      found.target.empty() ? "gfx942" : found.target, file)};
}

}  // namespace warpipe::amdgcn
