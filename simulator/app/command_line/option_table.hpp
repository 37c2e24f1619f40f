#pragma once

#include <string>
#include <vector>

#include "command_line/value_form.hpp"

namespace warpipe::app {

/// An option as it was declared.
struct Option {
  std::string name;   ///< "output"
  std::string brief;  ///< "-o"; empty where there is none
  ValueForm form;
  std::string help;

  /// @return as help shows it: "-o, --output KERNEL.json"
  std::string shown() const;
};

/// @return the keys of a map by name, for the choices of an option
template <class Map>
std::vector<std::string> names_of(const Map& by_name) {
  std::vector<std::string> names;
  for (const auto& [name, value] : by_name) names.emplace_back(name);
  return names;
}

/// Declares options in a table, from which they are read, and help, manual pages and completions are made.
class OptionTable {
 public:
  explicit OptionTable(std::string caption) : caption_(std::move(caption)) {}
  /// @param name     "output", or "output,o" for one that is also called -o
  /// @param form     as of a ValueForm
  /// @param choices  all the values that there are, or all the names before the `=`; empty where any may do, or where
  ///                 the form tells them. Help lists them behind its text, unless that names them all
  OptionTable& add(const std::string& name, const std::string& form, const std::string& help,
                   const std::vector<std::string>& choices = {});
  /// Takes the options of another table too, below its caption.
  OptionTable& add(const OptionTable& group);

  const std::string& caption() const noexcept { return caption_; }
  /// Its own, without those of the groups.
  const std::vector<Option>& own() const noexcept { return own_; }
  const std::vector<OptionTable>& groups() const noexcept { return groups_; }
  /// All options, those of the groups included.
  std::vector<Option> all() const;
  /// @param name  "--output" or "-o"
  /// @return      nullptr where there is none
  const Option* find(const std::string& name) const;

 private:
  std::string caption_;
  std::vector<Option> own_;
  std::vector<OptionTable> groups_;
};

}  // namespace warpipe::app
