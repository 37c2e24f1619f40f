#pragma once

#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/option_table.hpp"
#include "warpipe/idg/units.hpp"

namespace warpipe::app {

/// Says what is wrong with the command line.
/// @throws UsageError always
[[noreturn]] void refuse(std::string where, std::string rule, std::string found = {}, std::string advice = {});

/// What a verb was called with.
class Arguments {
 public:
  /// @throws UsageError for an option that the table lacks (an abbreviation too), a missing or needless value, one
  ///                    that is not among the choices, an option that stands twice and may not
  Arguments(const std::vector<std::string>& arguments, const OptionTable& options);

  bool has(const std::string& option) const;
  /// The value; empty text where an optional value is not given.
  std::optional<std::string> value(const std::string& option) const;
  /// All values of an option that may have several; in order.
  std::vector<std::string> values(const std::string& option) const;
  /// The value of an option that must be there.
  std::string require(const std::string& option, std::string_view value_form) const;

  std::optional<std::int64_t> whole(const std::string& option, std::int64_t least) const;

  /// The arguments that belong to no option.
  const std::vector<std::string>& positional() const noexcept { return positional_; }
  /// The one argument that belongs to no option.
  std::string only(std::string_view what) const;
  /// @throws UsageError where there is an argument that belongs to no option
  void no_positional() const;
  /// The way out for an argument too many: "write --json=out.json" where it stands behind an option that takes its
  /// value only after a `=`; else empty.
  std::string advice_for(const std::string& extra) const;

 private:
  boost::program_options::variables_map values_;
  std::vector<std::string> positional_;
  std::map<std::string, std::string> option_before_;  ///< by argument: an option without the value that it may have
};

/// Reads a number in every locale alike.
/// @throws UsageError where `text` is no finite number of at least `least` and at most `most`
double read_number(const std::string& option, std::string_view text, double least, double most);
/// Reads a clock: 1.4GHz, 1400MHz or a number of hertz.
/// @throws UsageError for one below 1 MHz or above 20 GHz, which no device has
Hertz read_clock(const std::string& option, const std::string& text);
/// Reads a whole number, "1e6" too, of at most 2^53.
std::int64_t read_whole(const std::string& option, std::string_view text, std::int64_t least);

}  // namespace warpipe::app
