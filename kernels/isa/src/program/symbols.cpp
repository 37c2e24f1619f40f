#include "warpipe/isa/symbols.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::isa {
namespace {

constexpr std::size_t kMostEntriesShown = 20;
constexpr std::size_t kLongestSymbol = std::size_t{1} << 16;

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// Walks backwards over a bracketed text.
/// @return the place of the opening bracket for the closing bracket at the end of the text; npos without any
std::size_t opening(std::string_view text, char open, char close) {
  int depth = 0;
  for (auto at = text.size(); at-- > 0;) {
    if (text[at] == close) ++depth;
    if (text[at] == open && --depth == 0) return at;
    if (depth == 0) break;
  }
  return std::string_view::npos;
}

/// "ns::axpy<float>" of "void ns::axpy<float>(int, float)".
std::string without_parameters(std::string_view plain) {
  const auto parameters = opening(plain, '(', ')');
  if (parameters == std::string_view::npos) return std::string(plain);
  plain = plain.substr(0, parameters);
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < plain.size(); ++at) {
    const char c = plain[at];
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ' ' && depth == 0) begin = at + 1;
  }
  return std::string(plain.substr(begin));
}

/// A symbol under its names.
struct Named {
  std::size_t place;
  std::string symbol, plain, qualified, bare;
};

std::string shown(const Named& entry) {
  return entry.plain == entry.symbol ? entry.symbol : fmt::format("{} ({})", entry.plain, entry.symbol);
}

template <class Entries>
std::string list_of(const Entries& entries) {
  std::string list;
  for (std::size_t i = 0; i < std::min(entries.size(), kMostEntriesShown); ++i)
    list += (i == 0 ? "" : ", ") + shown(entries[i]);
  if (entries.size() > kMostEntriesShown) list += fmt::format(" and {} more", entries.size() - kMostEntriesShown);
  return list;
}

std::vector<Named> named(const std::vector<std::string>& symbols) {
  std::vector<Named> all;
  for (const auto& symbol : symbols) {
    const auto plain = demangled(symbol);
    all.push_back({all.size(), symbol, plain, without_parameters(plain), bare_name(symbol)});
  }
  return all;
}

/// The entries for a name, by the first rule with a match.
std::vector<Named> meant(const std::vector<Named>& entries, std::string_view name) {
  const auto given = without_blanks(std::string(name));
  if (given.empty()) return {};
  using Fits = std::function<bool(const Named&)>;
  const std::vector<Fits> rules{[&](const Named& entry) { return entry.symbol == name; },
                                [&](const Named& entry) { return without_blanks(entry.plain) == given; },
                                [&](const Named& entry) { return without_blanks(entry.qualified) == given; },
                                [&](const Named& entry) { return entry.bare == given; },
                                [&](const Named& entry) {
                                  return entry.symbol.find(given) != std::string::npos ||
                                         without_blanks(entry.plain).find(given) != std::string::npos;
                                }};
  for (const auto& fits : rules) {
    std::vector<Named> found;
    std::ranges::copy_if(entries, std::back_inserter(found), fits);
    if (!found.empty()) return found;
  }
  return {};
}

[[noreturn]] void refuse_name(const std::string& file, const std::vector<Named>& entries, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.bare);
  for (const auto& entry : entries) names.push_back(entry.symbol);
  const auto nearest = nearest_name(name, names);
  throw InputError(Diagnostic{file, fmt::format("there is no entry \"{}\"", name), "found " + list_of(entries),
                              nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest)});
}

}  // namespace

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z") || symbol.size() > kLongestSymbol) return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && plain ? plain.get() : symbol;
}

std::string qualified_name(const std::string& symbol) { return without_parameters(demangled(symbol)); }

std::string bare_name(const std::string& symbol) {
  auto name = qualified_name(symbol);
  if (const auto open = opening(name, '<', '>'); open != std::string::npos) name.resize(open);
  int depth = 0;
  for (auto at = name.size(); at-- > 0;) {
    if (name[at] == '>' || name[at] == ')') ++depth;
    if (name[at] == '<' || name[at] == '(') --depth;
    if (name[at] == ':' && depth == 0) return name.substr(at + 1);
  }
  return name;
}

std::size_t find_symbol(const std::vector<std::string>& symbols, std::string_view name, const std::string& file) {
  const auto all = named(symbols);
  if (name.empty() && all.size() == 1) return 0;
  if (name.empty())
    throw InputError(Diagnostic{file, "the module has several entries: " + list_of(all), "", "give `entry NAME`"});
  const auto found = meant(all, name);
  if (found.empty()) refuse_name(file, all, name);
  if (found.size() > 1)
    throw InputError(Diagnostic{file, fmt::format("several entries are meant by \"{}\"", name),
                                "found " + list_of(found), "give more of the name"});
  return found.front().place;
}

bool serves_rare_numbers(std::string_view symbol) {
  const auto has = [&](std::string_view part) { return symbol.find(part) != std::string_view::npos; };
  if (has("__cuda_sm")) return has("path") || has("_div_rn_f64_full");
  return has("__internal_trig_reduction_slowpath") || has("__cudart_i2opi_");
}

}  // namespace warpipe::isa
