#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "warpipe/accuracy/measured_file.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe {
namespace {

void erase_all(std::string& text, std::string_view part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part)) text.erase(at, part.size());
}

/// The words of a title up to a clock in parentheses, without the names of vendors and brands.
std::set<std::string> words_of(std::string_view title) {
  constexpr std::array<std::string_view, 7> kBrands{"nvidia", "amd",      "geforce", "tesla",
                                                    "quadro", "instinct", "radeon"};
  std::set<std::string> words;
  std::string word;
  for (const char c : lower_case(title.substr(0, title.find(" ("))) + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += c;
    } else {
      if (!word.empty() && std::ranges::find(kBrands, word) == kBrands.end()) words.insert(word);
      word.clear();
    }
  }
  return words;
}

bool is_form_factor(const std::string& word) { return word == "pcie" || word.starts_with("sxm"); }

std::set<std::string> taken(std::set<std::string>& words) {
  std::set<std::string> factors;
  std::ranges::copy_if(words, std::inserter(factors, factors.end()), is_form_factor);
  std::erase_if(words, is_form_factor);
  return factors;
}

}  // namespace

std::string bare_kernel_name(std::string_view name) {
  std::string rest(name.substr(0, name.find(" [clone")));
  if (rest.ends_with(".kd")) rest.resize(rest.size() - 3);
  erase_all(rest, "(anonymous namespace)::");
  std::string bare;
  int depth = 0;
  for (const char c : rest) {
    if (c == '<') ++depth;
    if (depth == 0) {
      if (c == '(') break;
      if (c == ' ' || c == ':') bare.clear();
      if (c != ' ' && c != ':') bare += c;
    }
    if (c == '>') --depth;
  }
  return bare;
}

std::optional<std::string> device_with_title(std::string_view title, const std::map<std::string, std::string>& titles) {
  std::optional<std::string> found;
  auto wanted = words_of(title);
  const auto wanted_factor = taken(wanted);
  for (const auto& [name, known] : titles) {
    auto words = words_of(known);
    const auto factor = taken(words);
    if (words != wanted || (!factor.empty() && !wanted_factor.empty() && factor != wanted_factor)) continue;
    if (found) return std::nullopt;
    found = name;
  }
  return found;
}

}  // namespace warpipe
