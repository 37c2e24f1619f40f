#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/option_table.hpp"
#include "warpipe/idg/units.hpp"

namespace warpipe::app {

/// Reports a problem of the command line; the parts are the parts of a Diagnostic.
/// @throws UsageError always
[[noreturn]] void refuse(std::string where, std::string problem, std::string found = {}, std::string advice = {});

/// NAME=VALUE behind an option.
struct Assignment {
  std::string option;  ///< with the name, for messages: "--set ffma.issue"
  std::string name, value;
};

/// The arguments of a verb, checked against its options.
class Arguments {
 public:
  /// @throws UsageError for an option not in the table (abbreviations are not), a value missing, not expected or not
  ///                    among the choices, and an option repeated against its form
  Arguments(const std::vector<std::string>& arguments, Options options);

  /// The options of the verb.
  const Options& options() const noexcept { return options_; }

  bool has(const std::string& option) const;
  /// The value; empty if the option takes an optional value and has none.
  std::optional<std::string> value(const std::string& option) const;
  /// All values of an option that may have several, in order.
  std::vector<std::string> values(const std::string& option) const;
  /// The value of a required option.
  std::string require(const std::string& option, std::string_view value_form) const;

  std::optional<std::int64_t> whole(const std::string& option, std::int64_t least) const;

  /// The values of an option with the form NAME=VALUE.
  std::vector<Assignment> assignments(const std::string& option) const;

  /// The arguments outside options.
  const std::vector<std::string>& positional() const noexcept { return positional_; }
  /// The only argument outside options.
  std::string only(std::string_view what) const;
  /// @throws UsageError if there is an argument outside options
  void no_positional() const;
  /// Advice about an argument too many: "write --json=out.json" behind an option whose value follows only after a `=`,
  /// "write --block 32,8" if sizes stand apart, else empty.
  std::string advice_for(const std::string& extra) const;

 private:
  void note_advice(const std::vector<std::string>& arguments);

  Options options_;
  std::map<std::string, std::vector<std::string>> values_;  ///< by option; without a value: an empty text
  std::vector<std::string> positional_;
  std::map<std::string, std::string> advice_;  ///< by argument, in case it is too many
};

/// Reads a number, in the same way in every locale.
/// @throws UsageError if `text` is not a finite number from `least` to `most`
double read_number(const std::string& option, std::string_view text, double least, double most);
/// Reads a clock: 1.4GHz, 1400MHz or a number of hertz.
/// @throws UsageError for a clock below 1 MHz or above 20 GHz, which no device has
Hertz read_clock(const std::string& option, const std::string& text);
/// Reads a whole number of at most 2^53, such as "1e6".
std::int64_t read_whole(const std::string& option, std::string_view text, std::int64_t least);

}  // namespace warpipe::app
