#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "command_line/value_form.hpp"
#include "warpipe/inputs/import_request.hpp"
#include "warpipe/latency_tables/derive_device.hpp"
#include "warpipe/predict/launch.hpp"

/// The options of all verbs, a row per option, in option_table.cpp:
///
///     {"groups", "N", "work groups of the launch", in("groups", &LaunchOptions::groups)}
///
/// Reading, help, manual pages, completion, the members of a launch file and the flags in messages of the libraries
/// follow from the rows.

namespace warpipe::app {

/// The member that takes the value of an option: its type decides how the value is read. Without a place the verb asks
/// for the value.
using OptionPlace =
    std::variant<std::monostate, std::optional<std::int64_t> LaunchOptions::*,
                 std::map<std::string, double, std::less<>> LaunchOptions::*, std::optional<Policy> LaunchOptions::*,
                 Units LaunchOptions::*, Skipping LaunchOptions::*, std::optional<Hertz> LaunchOptions::*,
                 bool LaunchOptions::*, std::string GivenLaunch::*, std::optional<isa::Dimensions> GivenLaunch::*,
                 std::optional<std::int64_t> GivenLaunch::*, std::map<std::string, std::string> GivenLaunch::*,
                 std::map<std::string, isa::ArrayValues> GivenLaunch::*,
                 std::map<std::string, std::int64_t> GivenLaunch::*, std::map<std::string, double> GivenLaunch::*,
                 std::map<std::string, isa::AddressPattern> GivenLaunch::*, std::string DataSheet::*,
                 std::optional<std::int64_t> DataSheet::*, std::optional<Hertz> DataSheet::*,
                 std::optional<BytesPerSecond> DataSheet::*>;

enum class Shown { Usually, Rarely, Never };  ///< in help; rarely: in help by --help=all, manual pages and completion

/// The fields of a row beside name, form and help.
struct Traits {
  std::string_view verbs{};  ///< with the option, separated by blanks; empty: the verbs of its group
  std::string_view field{};  ///< the name in messages of the libraries and in launch files
  OptionPlace place{};
  Shown shown = Shown::Usually;
  std::int64_t least = 1;              ///< of a whole number
  std::vector<std::string> choices{};  ///< all values, or names before the `=`; else from the form, or any
  std::string_view means{};            ///< the option of which it is another spelling
  std::string_view pattern{};  ///< of the value there, of the name and value here: "instructions/{}/transactions={}"

  Traits in_field(std::string_view name, OptionPlace of = {}) const;
  Traits rare() const;
  Traits hidden() const;
  Traits among(std::vector<std::string> values) const;
  Traits from(std::int64_t number) const;
};

/// A single option.
struct Option {
  std::string name;   ///< "output"
  std::string brief;  ///< "-o"; empty if it has none
  ValueForm form;
  std::string help;
  std::string_view group;  ///< its caption in help
  Traits traits;           ///< its verbs are its group's where the row names none; empty: all

  /// @return the option as help shows it: "-o, --output KERNEL.json"
  std::string as_shown() const;
};

inline constexpr std::string_view kOwnOptions = "Options", kLaunch = "Launch options, in place of what the files say",
                                  kCode = "Options for a KERNEL that is code: PTX, machine code, source",
                                  kSource = "Options for source: CUDA (.cu), HIP (.hip)";

using Options = std::vector<const Option*>;

const std::vector<Option>& all_options();
/// The options of a verb, in the order of help, with hidden options.
Options options_of(std::string_view verb);
/// @param name  "--output" or "-o"
/// @return      nullptr if there is none
const Option* find(const Options& options, std::string_view name);

/// @return the keys of a map, for the choices of an option
template <class Map>
std::vector<std::string> names_of(const Map& by_name) {
  std::vector<std::string> names;
  for (const auto& [name, value] : by_name) names.emplace_back(name);
  return names;
}

}  // namespace warpipe::app
