#pragma once

#include <string>
#include <vector>

namespace warpipe::app {

/// What a value is, which says what a shell can offer for it.
enum class ValueKind { Text, File, Directory, Kernel, Device, Verb };

/// How a value is written, as help shows it. The same text is the rule by which the value is read:
/// ""        none
/// "N"       one, the next argument or after `=`
/// "[=FILE]" optional, only after `=`
/// "NAME=V..." any number, in one go or by repeating the option: further arguments belong to it while they hold a `=`
/// "NAME..." likewise, with all arguments up to the next option
/// "NAME*"   the option may be repeated, one value each
/// Words in it say what the value is: KERNEL, DEVICE and BASE (a device) a shipped name or a file, VERB a verb, DIR a
/// directory, FILE, CSV, LOG and what has an ending, such as KERNEL.json, a file; OP.FIELD and PATH a name in the
/// kernel or device, NAME=VALUE a parameter, NAME=VALUES what a sweep can vary. Words in lower case, as in
/// "one|all", are the values; "one|FILE" is either.
struct ValueForm {
  std::string text;
  bool none = false, optional = false, repeated = false, several = false, assigned = false;
  ValueKind kind = ValueKind::Text;
  bool is_input = false;             ///< a file that is read: `-` is standard input
  std::vector<std::string> choices;  ///< all the values that there are; empty where any may do

  explicit ValueForm(std::string form);

  /// @return what help shows behind the option: " N", "[=FILE]"
  std::string shown() const;
};

/// The arguments that belong to no option, in the order of a usage such as "KERNEL --device DEVICE [options]".
std::vector<ValueForm> positional_forms(const std::string& usage);

}  // namespace warpipe::app
