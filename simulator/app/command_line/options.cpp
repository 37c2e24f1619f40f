#include "command_line/options.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "command_line/data_files.hpp"
#include "warpipe/baselines/models.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/latency_tables/device_path.hpp"
#include "warpipe/predict/instruction_number.hpp"

namespace warpipe::app {
namespace {

constexpr double kMostNumber = std::numeric_limits<double>::max();

// ---- a value, by the type of its place: `as` has the option for messages and the text

void read_value(const Assignment& as, const Traits& traits, std::int64_t& value) {
  value = read_whole(as.option, as.value, traits.least);
}
void read_value(const Assignment& as, const Traits&, std::string& value) { value = as.value; }
void read_value(const Assignment&, const Traits&, bool& value) { value = true; }
void read_value(const Assignment& as, const Traits&, Policy& value) { value = parse_policy(as.value).value(); }
void read_value(const Assignment& as, const Traits&, Units& value) {
  value = as.value == "all" ? Units::All : Units::One;
}
void read_value(const Assignment& as, const Traits&, Skipping& value) { value = parse_skipping(as.value).value(); }
void read_value(const Assignment& as, const Traits&, Hertz& value) { value = read_clock(as.option, as.value); }
void read_value(const Assignment& as, const Traits&, BytesPerSecond& value) {
  value = BytesPerSecond{read_number(as.option, as.value, 1, kMostNumber)};
}
void read_value(const Assignment& as, const Traits&, isa::ArrayValues& value) {
  value = read_array(as.option, as.value);
}
void read_value(const Assignment& as, const Traits&, isa::AddressPattern& value) {
  if (!isa::parse_pattern(as.value, value))
    refuse(as.option, fmt::format("\"{}\" is not random:BYTES or coalesced:BYTES", as.value));
}

void read_value(const Assignment& as, const Traits& traits, double& value) {
  const bool is_share = traits.field == "taken";
  value =
      is_share ? read_number(as.option, as.value, 0, 1) : read_number(as.option, as.value, -kMostNumber, kMostNumber);
}

/// "32,8", or "32x8" as sweeps write it.
void read_value(const Assignment& as, const Traits&, isa::Dimensions& sizes) {
  auto text = as.value;
  const auto refuse_form = [&] { refuse(as.option, fmt::format("\"{}\" is not X, X,Y or X,Y,Z", as.value)); };
  const auto is_digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (std::size_t at = 1; at < text.size(); ++at)
    if (text[at] == 'x' && is_digit(at - 1) && is_digit(at + 1)) text[at] = ',';
  sizes = {1, 1, 1};
  std::stringstream stream(text);
  std::string part;
  std::size_t axis = 0;
  while (std::getline(stream, part, ',')) {
    if (axis == sizes.size()) refuse_form();
    sizes[axis++] = read_whole(as.option, part, 1);
  }
  if (axis == 0) refuse_form();
}

template <class Value>
void read_value(const Assignment& as, const Traits& traits, std::optional<Value>& value) {
  read_value(as, traits, value.emplace());
}

// ---- all values of an option

template <class Value>
void read_option(const Arguments& arguments, const Option& option, Value& value) {
  read_value({"--" + option.name, "", arguments.value(option.name).value_or("")}, option.traits, value);
}

template <class Key, class Value, class Less>
void read_option(const Arguments& arguments, const Option& option, std::map<Key, Value, Less>& values) {
  for (const auto& given : arguments.assignments(option.name)) {
    const auto [place, is_new] = values.try_emplace(given.name);
    if (!is_new) refuse(given.option, "the name is given twice");
    read_value(given, option.traits, place->second);
  }
}

/// Puts a number of --set where it belongs: places in the device's file count first, then numbers by name, then
/// factors.
void add_number(const Assignment& given, LaunchOptions& options) {
  if (given.value.starts_with('x')) {
    if (is_device_path(given.name) || is_number_of_instruction(given.name))
      refuse(given.option, "only issue and completion of an op take a factor", fmt::format("found {}", given.value),
             "write OP=x2, or a number");
    options.scale.push_back({given.name, read_number(given.option, given.value.substr(1), 0, kMostNumber)});
    return;
  }
  const double number = read_number(given.option, given.value, -kMostNumber, kMostNumber);
  auto& numbers =
      is_device_path(given.name) && !is_number_of_instruction(given.name) ? options.set_device : options.set;
  numbers.push_back({given.name, number});
}

}  // namespace

template <class Object>
void read_places(const Arguments& arguments, Object& object) {
  for (const auto* option : arguments.options()) {
    if (!arguments.has(option->name)) continue;
    std::visit(
        [&](auto place) {
          if constexpr (requires { object.*place; }) read_option(arguments, *option, object.*place);
        },
        option->traits.place);
  }
}

template void read_places(const Arguments& arguments, LaunchOptions& options);
template void read_places(const Arguments& arguments, GivenLaunch& launch);
template void read_places(const Arguments& arguments, DataSheet& sheet);

LaunchOptions read_launch_options(const Arguments& arguments) {
  LaunchOptions options;
  read_places(arguments, options);
  if (options.occupancy && options.concurrent_groups)
    refuse("--occupancy", "--concurrent-groups is given too, and both say how many groups are resident", "",
           "leave one of them out");
  options.kernel_launch_is_given = arguments.has("grid");  // only PTX has it
  std::set<std::string> of_instructions;
  for (const auto& given : arguments.assignments("set")) {
    if (is_number_of_instruction(given.name) && !of_instructions.insert(given.name).second)
      refuse(given.option, "the name is given twice");
    add_number(given, options);
  }
  return options;
}

bool read_range(const Arguments& arguments, bool by_default) {
  const auto given = arguments.value("range");
  return given ? *given == "on" : by_default;
}

double read_tolerance(const Arguments& arguments, double by_default) {
  constexpr double kLargest = 10;
  const auto given = arguments.value("tolerance");
  return given ? read_number("--tolerance", *given, 0, kLargest) / 100 : by_default;
}

isa::ArrayValues read_array(const std::string& option, const std::string& value) {
  isa::ArrayValues array;
  constexpr std::string_view kBytes = "bytes:";
  if (value.starts_with(kBytes)) {
    auto text = std::make_shared<const std::string>(read_input(value.substr(kBytes.size())).text);
    array.bytes = isa::ArrayBytes{*text, text};
    return array;
  }
  if (value.starts_with("uniform:") || value.starts_with("rows:")) {
    if (!isa::parse_values(value, array)) read_whole(option, value.substr(value.find(':') + 1), 1);
    return array;
  }
  auto text = read_input(value).text;
  for (char& c : text) c = c == ',' ? ' ' : c;
  std::stringstream stream(text);
  for (std::string word; stream >> word;) {
    const auto number = parse_number(word);
    if (!number)
      throw InputError(Diagnostic{value, fmt::format("\"{}\" is not a number", word.substr(0, 40)), "",
                                  "write numbers with blanks or commas between them"});
    array.values.push_back(*number);
  }
  return array;
}

Voice read_voice(const Arguments& arguments) { return arguments.has("quiet") ? Voice::Quiet : Voice::Normal; }

std::size_t read_threads(const Arguments& arguments) {
  return static_cast<std::size_t>(arguments.whole("threads", 1).value_or(0));
}

ModelInputs read_model_options(const Arguments& arguments) {
  ModelInputs inputs;
  for (const auto& given : arguments.assignments("model-input")) {
    double& number = given.name == "mshr"          ? inputs.outstanding_misses
                     : given.name == "sync-factor" ? inputs.sync_factor
                                                   : inputs.matrix_flops;
    number = read_number(given.option, given.value, 0, kMostNumber);
  }
  return inputs;
}

}  // namespace warpipe::app
