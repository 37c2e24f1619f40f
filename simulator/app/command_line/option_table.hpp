#pragma once

#include <string>
#include <vector>

#include "command_line/value_form.hpp"

namespace warpipe::app {

/// One option.
struct Option {
  std::string name;   ///< "output"
  std::string brief;  ///< "-o"; empty if it has none
  ValueForm form;
  std::string help;
  std::string old_name = {};  ///< an earlier name, which is still accepted with a note; empty if it has none

  /// @return the option as help shows it: "-o, --output KERNEL.json"
  std::string shown() const;
};

/// @return the keys of a map, for the choices of an option
template <class Map>
std::vector<std::string> names_of(const Map& by_name) {
  std::vector<std::string> names;
  for (const auto& [name, value] : by_name) names.emplace_back(name);
  return names;
}

/// The options of a verb. Arguments are read by this table; help, manual pages and completions are made from it.
class OptionTable {
 public:
  explicit OptionTable(std::string caption) : caption_(std::move(caption)) {}
  /// @param name     "output", or "output,o" for one that is also called -o
  /// @param form     as of a ValueForm
  /// @param choices  all values that are accepted, or all names before the `=`; empty if any value is accepted or the
  ///                 form lists the choices. Help lists them after its text, unless the text names them all
  OptionTable& add(const std::string& name, const std::string& form, const std::string& help,
                   const std::vector<std::string>& choices = {});
  /// Gives the option that was added last an earlier name, which is still accepted.
  OptionTable& formerly(const std::string& old_name);
  /// Adds the options of another table as a group under its caption.
  OptionTable& add(const OptionTable& group);

  const std::string& caption() const noexcept { return caption_; }
  /// The options outside the groups.
  const std::vector<Option>& own() const noexcept { return own_; }
  const std::vector<OptionTable>& groups() const noexcept { return groups_; }
  /// All options, including those of the groups.
  std::vector<Option> all() const;
  /// @param name  "--output", "-o" or an old name
  /// @return      nullptr if there is none
  const Option* find(const std::string& name) const;

 private:
  std::string caption_;
  std::vector<Option> own_;
  std::vector<OptionTable> groups_;
};

}  // namespace warpipe::app
