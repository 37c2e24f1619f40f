#include "warpipe/ptx/entries.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <set>

#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostEntriesShown = 20;
constexpr std::size_t kLongestSymbol = std::size_t{1} << 16;

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// Walks backwards over what is in brackets.
/// @return where the bracket opens that closes at the end of the text; npos if none closes there
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

/// An entry under its names.
struct Named {
  const Function* function;
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

std::vector<Named> named_entries(const Module& module) {
  std::vector<Named> entries;
  std::set<std::string_view> seen;
  for (const auto& function : module.functions) {
    if (!function.entry || !seen.insert(function.name).second) continue;
    const auto* defined = module.find(function.name);
    if (defined == nullptr || !defined->entry || !defined->defined) continue;
    const auto plain = demangled(function.name);
    entries.push_back({defined, function.name, plain, without_parameters(plain), bare_name(function.name)});
  }
  return entries;
}

/// The entries that a name means, by the first rule that fits any.
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

[[noreturn]] void refuse_entry(const Module& module, const std::vector<Named>& entries, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.bare);
  for (const auto& entry : entries) names.push_back(entry.symbol);
  const auto nearest = nearest_name(name, names);
  throw InputError(Diagnostic{module.file, fmt::format("there is no entry \"{}\"", name), "found " + list_of(entries),
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

const Function& find_entry(const Module& module, std::string_view name) {
  const auto entries = named_entries(module);
  if (entries.empty())
    throw InputError(Diagnostic{module.file, "the module has no entry (.entry)", "",
                                "give a file with a kernel; a template makes one where the source instantiates it"});
  if (name.empty() && entries.size() == 1) return *entries.front().function;
  if (name.empty())
    throw InputError(
        Diagnostic{module.file, "the module has several entries: " + list_of(entries), "", "give `entry NAME`"});
  const auto found = meant(entries, name);
  if (found.empty()) refuse_entry(module, entries, name);
  if (found.size() > 1)
    throw InputError(Diagnostic{module.file, fmt::format("several entries are meant by \"{}\"", name),
                                "found " + list_of(found), "give more of the name"});
  return *found.front().function;
}

std::optional<CompiledBlock> compiled_block(const Function& entry) {
  constexpr std::int64_t kMostThreads = 1024;
  if (entry.required_block) return CompiledBlock{*entry.required_block, ".reqntid"};
  if (!entry.most_block) return std::nullopt;
  const auto [x, y, z] = *entry.most_block;
  if (x * y * z > kMostThreads) return std::nullopt;
  return CompiledBlock{*entry.most_block, ".maxntid"};
}

std::vector<std::int64_t> parameter_offsets(const std::vector<Variable>& parameters) {
  std::vector<std::int64_t> offsets;
  std::int64_t end = 0;
  for (const auto& parameter : parameters) {
    const auto alignment = std::max<std::int64_t>(parameter.alignment, 1);
    offsets.push_back((end + alignment - 1) / alignment * alignment);
    end = offsets.back() + parameter.bytes();
  }
  return offsets;
}

}  // namespace warpipe::ptx
