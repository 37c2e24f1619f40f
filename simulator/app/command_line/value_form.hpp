#pragma once

#include <string>
#include <vector>

namespace warpipe::app {

/// The kind of a value, which decides the offers of a shell.
enum class ValueKind { Text, File, Directory, Kernel, Device, Verb };

/// The form of a value, as help shows it. The same text is the rule by which the value is read:
/// ""        none
/// "N"       a single value, the next argument or after `=`
/// "[=FILE]" optional, only after `=`
/// "NAME=V..." any number, in one go or by repeating the option: further arguments belong to it while they hold a `=`
/// "NAME..." likewise, with all arguments up to the next option
/// "NAME*"   the option may be repeated, with a value each
/// Words in it tell the kind of the value: KERNEL, DEVICE and BASE (a device) a shipped name or a file, VERB a verb,
/// DIR a directory, FILE, CSV, LOG and words with an ending, such as KERNEL.json, a file; OP.FIELD and PATH a name in
/// the kernel or device, NAME=VALUE a parameter, NAME=VALUES a variation of a sweep. Words in lower case, as in
/// "one|all", are the values; "one|FILE" is either.
struct ValueForm {
  std::string text;
  bool none = false, optional = false, repeated = false, several = false, assigned = false;
  ValueKind kind = ValueKind::Text;
  bool is_input = false;             ///< a file to read: `-` is standard input
  std::vector<std::string> choices;  ///< the only values; empty where any may do

  explicit ValueForm(std::string form);

  /// @return the text behind the option in help: " N", "[=FILE]"
  std::string shown() const;
};

/// The arguments outside options, in the order of a usage such as "KERNEL --device DEVICE [options]".
std::vector<ValueForm> positional_forms(const std::string& usage);

}  // namespace warpipe::app
