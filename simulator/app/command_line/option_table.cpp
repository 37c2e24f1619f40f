#include "command_line/option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace warpipe::app {

std::string Option::shown() const {
  return fmt::format("{}--{}{}", brief.empty() ? brief : brief + ", ", name, form.shown());
}

OptionTable& OptionTable::add(const std::string& name, const std::string& form, const std::string& help,
                              const std::vector<std::string>& choices) {
  const auto comma = name.find(',');
  const auto brief = comma == std::string::npos ? std::string() : "-" + name.substr(comma + 1);
  own_.push_back({.name = name.substr(0, comma), .brief = brief, .form = ValueForm(form), .help = help});
  if (choices.empty()) return *this;
  own_.back().form.choices = choices;
  const auto is_named = [&](const std::string& choice) { return help.find(choice) != std::string::npos; };
  if (!std::ranges::all_of(choices, is_named)) own_.back().help += fmt::format(": {}", fmt::join(choices, ", "));
  return *this;
}

OptionTable& OptionTable::formerly(const std::string& old_name) {
  own_.back().old_name = old_name;
  return *this;
}

OptionTable& OptionTable::add(const OptionTable& group) {
  groups_.push_back(group);
  return *this;
}

std::vector<Option> OptionTable::all() const {
  auto all = own_;
  for (const auto& group : groups_) {
    const auto members = group.all();
    all.insert(all.end(), members.begin(), members.end());
  }
  return all;
}

const Option* OptionTable::find(const std::string& name) const {
  for (const auto& option : own_) {
    if ("--" + option.name == name) return &option;
    if (!option.brief.empty() && option.brief == name) return &option;
    if (!option.old_name.empty() && "--" + option.old_name == name) return &option;
  }
  for (const auto& group : groups_) {
    if (const auto* option = group.find(name)) return option;
  }
  return nullptr;
}

}  // namespace warpipe::app
