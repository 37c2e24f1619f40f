#include "command_line/value_form.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <utility>

namespace warpipe::app {
namespace {

/// "FILE" of "[=FILE]", "NAME=FILE..." and "FILE*".
std::string value_word(const ValueForm& form) {
  auto word = form.text;
  if (form.assigned) word.erase(0, word.find('=') + 1);
  while (!word.empty() && (word.back() == ']' || word.back() == '*' || word.back() == '.')) word.pop_back();
  return word;
}

ValueKind kind_of(const std::string& word) {
  constexpr std::array<std::pair<const char*, ValueKind>, 10> kWords{{{"FILE", ValueKind::File},
                                                                      {"SHEET", ValueKind::File},
                                                                      {"CSV", ValueKind::File},
                                                                      {"LOG", ValueKind::File},
                                                                      {"JSON", ValueKind::File},
                                                                      {"DIR", ValueKind::Directory},
                                                                      {"KERNEL", ValueKind::Kernel},
                                                                      {"DEVICE", ValueKind::Device},
                                                                      {"BASE", ValueKind::Device},
                                                                      {"VERB", ValueKind::Verb}}};
  for (const auto& [known, kind] : kWords) {
    if (word == known || word.ends_with(std::string("|") + known)) return kind;
  }
  const auto dot = word.rfind('.');
  const bool has_ending =
      dot != std::string::npos && dot + 1 < word.size() && std::islower(static_cast<unsigned char>(word[dot + 1])) != 0;
  return has_ending ? ValueKind::File : ValueKind::Text;
}

/// "one" and "all" of "one|all", "one" of "one|FILE"; none of "N".
std::vector<std::string> choices_of(const std::string& word) {
  const auto is_value = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
  std::vector<std::string> choices;
  std::stringstream stream(word);
  for (std::string choice; std::getline(stream, choice, '|');)
    if (std::ranges::all_of(choice, is_value)) choices.push_back(choice);
  return choices;
}

}  // namespace

ValueForm::ValueForm(std::string form)
    : text(std::move(form)),
      none(text.empty()),
      optional(text.starts_with("[=")),
      repeated(text.ends_with("*") || text.ends_with("...")),
      several(text.ends_with("...")),
      assigned(text.find('=') != std::string::npos) {
  const auto word = value_word(*this);
  kind = kind_of(word);
  is_input = kind == ValueKind::Kernel || kind == ValueKind::Device || word == "CSV" || word == "LOG" ||
             word == "JSON" || word == "SHEET" || (kind == ValueKind::File && assigned && !optional);
  choices = choices_of(word);
}

std::string ValueForm::shown() const {
  if (none || optional) return text;
  return " " + (text.ends_with("*") ? text.substr(0, text.size() - 1) : text);
}

std::vector<ValueForm> positional_forms(const std::string& usage) {
  std::vector<ValueForm> forms;
  std::stringstream stream(usage);
  for (std::string word; stream >> word;) {
    if (word.starts_with("[")) word = word.substr(1, word.find(']') - 1);
    if (word.starts_with("-") || word == "options") break;
    forms.emplace_back(word);
  }
  return forms;
}

}  // namespace warpipe::app
