#include "command_line/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/idg/unit_advice.hpp"
#include "warpipe/predict/plausibility.hpp"

namespace warpipe::app {
namespace {

[[noreturn]] void refuse_option(const std::string& name, const Options& options) {
  std::vector<std::string> names;
  for (const auto* option : options)
    if (option->traits.shown != Shown::Never) names.push_back("--" + option->name);
  const auto nearest = nearest_name(name, names);
  refuse(name, "unknown option", "", nearest.empty() ? nearest : fmt::format("did you mean {}?", nearest));
}

bool is_short_option(const std::string& token) { return token.size() == 2 && token[0] == '-' && token != "--"; }

/// Refuses a value that is not among the choices of the option; of NAME=VALUE, only the name is checked.
void check_choice(const Option& option, const std::string& value) {
  const auto& choices = option.form.choices;
  const auto word = option.form.assigned ? value.substr(0, value.find('=')) : value;
  if (choices.empty() || std::ranges::find(choices, word) != choices.end()) return;
  refuse("--" + option.name, fmt::format("unknown {} \"{}\"", option.form.assigned ? "name" : "value", word), "",
         suggest(word, choices));
}

/// Takes the values of an option off the front of the arguments.
std::vector<std::string> following_values(const std::string& name, const ValueForm& form,
                                          std::vector<std::string>& tokens) {
  std::vector<std::string> values;
  const auto is_option = [](const std::string& token) { return token.starts_with("--"); };
  if (tokens.empty() || is_option(tokens.front())) refuse("--" + name, "the option needs a value");
  do {
    values.push_back(tokens.front());
    tokens.erase(tokens.begin());
  } while (form.several && !tokens.empty() && !is_option(tokens.front()) && !is_short_option(tokens.front()) &&
           (!form.assigned || tokens.front().find('=') != std::string::npos));
  return values;
}

/// An option as it was given, with its values; the value is empty where the option has none.
struct Given {
  const Option* option = nullptr;
  std::vector<std::string> values;
};

bool begins_option(const std::string& token) { return token.starts_with("-") && token != "-" && token != "--"; }

/// The value of another spelling, in the form of the option that it stands for: "ffma=x2" of --scale ffma=2.
std::string as_meant(const Traits& spelling, const std::string& value) {
  const auto equals = value.find('=');
  const auto name = value.substr(0, equals);
  const bool is_path = name.find('/') != std::string::npos;
  if (equals == std::string::npos || (is_path && spelling.pattern.starts_with('/'))) return value;
  return fmt::format(fmt::runtime(spelling.pattern), name, value.substr(equals + 1));
}

/// Takes an option with its values off the front of the arguments.
Given take_option(std::vector<std::string>& tokens, const Options& options) {
  const std::string token = tokens.front();
  const auto equals = token.starts_with("--") ? token.find('=') : std::string::npos;
  const auto* option = find(options, token.substr(0, equals));
  if (option == nullptr && !token.starts_with("--")) {
    refuse(token, "unknown option", "", "options begin with two dashes");
  }
  if (option == nullptr) refuse_option(token.substr(0, equals), options);
  tokens.erase(tokens.begin());

  const auto& name = option->name;
  const auto& form = option->form;
  std::vector<std::string> values;
  if (equals != std::string::npos) {
    values.push_back(token.substr(equals + 1));
    if (form.none) refuse("--" + name, "the option takes no value", fmt::format("found \"{}\"", values.front()));
    if (values.front().empty()) refuse("--" + name, "the option needs a value after `=`");
  } else if (form.optional || form.none) {
    return {option, {""}};
  } else {
    values = following_values(name, form, tokens);
  }
  for (const auto& value : values) check_choice(*option, value);
  if (option->traits.means.empty()) return {option, values};
  for (auto& value : values) {
    if (value.find('=') == std::string::npos)
      refuse("--" + name, fmt::format("\"{}\" is not {}", value, form.text.substr(0, form.text.find("..."))));
    value = as_meant(option->traits, value);
  }
  return {find(options, fmt::format("--{}", option->traits.means)), values};
}

/// "LABEL=SHARE"
std::string form_of_value(const Options& options, const std::string& option) {
  const auto& form = find(options, "--" + option)->form.text;
  return form.substr(0, form.find("..."));
}

}  // namespace

void refuse(std::string where, std::string problem, std::string found, std::string advice) {
  throw UsageError(Diagnostic{std::move(where), std::move(problem), std::move(found), std::move(advice)});
}

Arguments::Arguments(const std::vector<std::string>& arguments, Options options) : options_(std::move(options)) {
  note_advice(arguments);
  auto tokens = arguments;
  std::optional<std::string> given_twice;
  while (!tokens.empty()) {
    if (begins_option(tokens.front())) {
      const auto [option, values] = take_option(tokens, options_);
      auto& all = values_[option->name];
      if (!all.empty() && !option->form.repeated && !given_twice) given_twice = "--" + option->name;
      all.insert(all.end(), values.begin(), values.end());
      continue;
    }
    const bool ends_options = tokens.front() == "--";
    const auto end = ends_options ? tokens.end() : tokens.begin() + 1;
    positional_.insert(positional_.end(), tokens.begin() + (ends_options ? 1 : 0), end);
    tokens.erase(tokens.begin(), end);
  }
  if (given_twice) refuse(*given_twice, "the option can be given only once");
}

void Arguments::note_advice(const std::vector<std::string>& arguments) {
  const auto begins_with_digit = [](const std::string& word) {
    return !word.empty() && word[0] >= '0' && word[0] <= '9';
  };
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const auto* before = find(options_, arguments[i - 1]);
    if (before != nullptr && before->form.optional)
      advice_.emplace(arguments[i], fmt::format("write --{}={}", before->name, arguments[i]));
    const auto* sized = i > 1 ? find(options_, arguments[i - 2]) : nullptr;
    if (sized != nullptr && sized->form.text.starts_with("X[,Y") && begins_with_digit(arguments[i]))
      advice_.emplace(arguments[i], fmt::format("write --{} {},{}", sized->name, arguments[i - 1], arguments[i]));
  }
}

bool Arguments::has(const std::string& option) const { return values_.contains(option); }

std::vector<Assignment> Arguments::assignments(const std::string& option) const {
  std::vector<Assignment> result;
  for (const auto& text : values(option)) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      refuse("--" + option, fmt::format("\"{}\" is not {}", text, form_of_value(options_, option)));
    const auto name = text.substr(0, equals);
    result.push_back({fmt::format("--{} {}", option, name), name, text.substr(equals + 1)});
  }
  return result;
}

std::optional<std::string> Arguments::value(const std::string& option) const {
  if (!has(option)) return std::nullopt;
  return values_.at(option).front();
}

std::vector<std::string> Arguments::values(const std::string& option) const {
  if (!has(option)) return {};
  return values_.at(option);
}

std::string Arguments::require(const std::string& option, std::string_view value_form) const {
  if (!has(option)) {
    const auto* examples = value_form == "DEVICE" ? ", such as h100; `warpipe list devices` names them" : "";
    refuse("--" + option, "the option is missing", "", fmt::format("give --{} {}{}", option, value_form, examples));
  }
  return *value(option);
}

std::optional<std::int64_t> Arguments::whole(const std::string& option, std::int64_t least) const {
  if (!has(option)) return std::nullopt;
  return read_whole("--" + option, *value(option), least);
}

std::string Arguments::only(std::string_view what) const {
  if (positional_.empty()) refuse(std::string(what), "this argument is missing");
  if (positional_.size() > 1) {
    refuse(fmt::format("\"{}\"", positional_[1]),
           fmt::format("one argument too many: {} is \"{}\" already", what, positional_[0]), "",
           advice_for(positional_[1]));
  }
  return positional_.front();
}

void Arguments::no_positional() const {
  if (positional_.empty()) return;
  const auto& extra = positional_.front();
  refuse(fmt::format("\"{}\"", extra), "one argument too many: this verb takes options alone", "", advice_for(extra));
}

std::string Arguments::advice_for(const std::string& extra) const {
  const auto known = advice_.find(extra);
  return known == advice_.end() ? "" : known->second;
}

double read_number(const std::string& option, std::string_view text, double least, double most) {
  const auto number = parse_number(text);
  if (!number) refuse(option, fmt::format("\"{}\" is not a number", text), "", advice_on_unit(text));
  if (*number < least || *number > most) {
    const auto range = most < std::numeric_limits<double>::max() ? fmt::format("from {} to {}", least, most)
                                                                 : fmt::format("at least {}", least);
    refuse(option, fmt::format("the value must be {}", range), fmt::format("found {}", text));
  }
  return *number;
}

Hertz read_clock(const std::string& option, const std::string& text) {
  constexpr std::array<std::pair<const char*, double>, 4> kUnits{{{"GHz", 1e9}, {"MHz", 1e6}, {"kHz", 1e3}, {"Hz", 1}}};
  const auto unit = std::ranges::find_if(kUnits, [&](const auto& each) { return text.ends_with(each.first); });
  const bool has_unit = unit != kUnits.end();
  const auto digits = has_unit ? text.substr(0, text.size() - std::string_view(unit->first).size()) : text;
  const auto number = parse_number(digits);
  if (!number)
    refuse(option, fmt::format("\"{}\" is not a clock", text), "", "write it as in 1.4GHz, 1400MHz or 1.4e9");
  const Hertz clock{*number * (has_unit ? unit->second : 1)};
  const bool forgotten = !has_unit && *number >= 1 && *number <= kHighestClock.count / 1e6;
  const auto advice =
      forgotten ? fmt::format("did you mean {}{}?", text, *number <= kHighestClock.count / 1e9 ? "GHz" : "MHz") : "";
  if (auto refusal = refusal_of_clock(option, clock, advice)) throw UsageError(std::move(*refusal));
  return clock;
}

std::int64_t read_whole(const std::string& option, std::string_view text, std::int64_t least) {
  const auto number = parse_number(text);
  if (!number || !is_whole(*number, least)) {
    refuse(option, fmt::format("the value must be a whole number from {} to 2^53", least),
           fmt::format("found \"{}\"", text), number ? "" : advice_on_unit(text));
  }
  return static_cast<std::int64_t>(*number);
}

}  // namespace warpipe::app
