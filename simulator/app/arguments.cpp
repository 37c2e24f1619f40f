#include "arguments.hpp"

#include <fmt/format.h>

#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <limits>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/study/number.hpp"

namespace warpipe::app {
namespace {

namespace po = boost::program_options;

/// How many values an option takes, told from the form that help shows.
struct ValueForm {
  std::string text;
  bool none = false, optional = false, repeated = false, several = false, assigned = false;

  explicit ValueForm(std::string form)
      : text(std::move(form)),
        none(text.empty()),
        optional(text.starts_with("[=")),
        repeated(text.ends_with("*") || text.ends_with("...")),
        several(text.ends_with("...")),
        assigned(text.find('=') != std::string::npos) {}
};

/// The library has no empty form: it would call it "arg".
ValueForm form_of(const po::option_description& option) {
  const auto& semantic = *option.semantic();
  return ValueForm(semantic.max_tokens() == 0 ? std::string() : semantic.name());
}

const po::option_description& find_option(const po::options_description& table, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& option : table.options()) {
    if (option->long_name() == name) return *option;
    names.push_back("--" + option->long_name());
  }
  const auto nearest = nearest_name("--" + name, names);
  refuse("--" + name, "there is no such option", "",
         nearest.empty() ? std::string() : fmt::format("did you mean {}?", nearest));
}

bool is_short_option(const std::string& token) { return token.size() == 2 && token[0] == '-' && token != "--"; }

/// "-o"; empty for an option that has no short form
std::string short_name(const po::option_description& option) {
  const auto name = option.canonical_display_name(po::command_line_style::allow_dash_for_short);
  return is_short_option(name) ? name : std::string();
}

/// @return the long form of a short option: "--output" for "-o"; any other token as it is
std::string long_form(const std::string& token, const po::options_description& table) {
  if (!is_short_option(token)) return token;
  for (const auto& option : table.options()) {
    if (short_name(*option) == token) return "--" + option->long_name();
  }
  return token;
}

/// The values of an option that stand in the arguments after it.
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

/// Takes one option with its values off the front of the arguments; nothing where there is none. Stands in for the
/// library's own styles, which abbreviate names and let an optional value eat the next argument.
std::vector<po::option> take_option(std::vector<std::string>& tokens, const po::options_description& table) {
  const std::string token = long_form(tokens.front(), table);
  if (token == "--" || token == "-" || !token.starts_with("-")) return {};
  if (!token.starts_with("--")) refuse(token, "there is no such option", "", "options begin with two dashes");
  tokens.erase(tokens.begin());

  const auto equals = token.find('=');
  const std::string name = token.substr(2, equals == std::string::npos ? equals : equals - 2);
  const ValueForm form = form_of(find_option(table, name));
  std::vector<std::string> values;
  if (equals != std::string::npos) {
    values.push_back(token.substr(equals + 1));
    if (form.none) refuse("--" + name, "the option takes no value", fmt::format("found \"{}\"", values.front()));
    if (values.front().empty()) refuse("--" + name, "the option needs a value after `=`");
  } else if (form.optional) {
    values.emplace_back();
  } else if (form.none) {
    return {po::option(name, {})};
  } else {
    values = following_values(name, form, tokens);
  }

  std::vector<po::option> taken;
  for (const auto& value : values) taken.emplace_back(name, std::vector{value});
  return taken;
}

}  // namespace

void refuse(std::string where, std::string rule, std::string found, std::string advice) {
  throw UsageError(Diagnostic{std::move(where), std::move(rule), std::move(found), std::move(advice)});
}

OptionTable& OptionTable::add(const char* name, const char* value_form, const char* help) {
  const ValueForm form(value_form);
  if (form.repeated) {
    auto* values = po::value<std::vector<std::string>>();
    own_.add_options()(name, values->composing()->value_name(value_form), help);
  } else if (form.none) {
    own_.add_options()(name, po::value<std::string>()->zero_tokens()->implicit_value(""), help);
  } else {
    own_.add_options()(name, po::value<std::string>()->value_name(value_form), help);
  }
  return *this;
}

OptionTable& OptionTable::add(const OptionTable& group) {
  groups_.push_back(group);
  return *this;
}

po::options_description OptionTable::all() const {
  po::options_description all;
  for (const auto& option : own_.options()) all.add(option);
  for (const auto& group : groups_) {
    const auto members = group.all();
    for (const auto& option : members.options()) all.add(option);
  }
  return all;
}

std::string OptionTable::help() const {
  constexpr int kHelpColumn = 32;
  std::string text = fmt::format("\n{}:\n", caption_);
  for (const auto& option : own_.options()) {
    std::string form = form_of(*option).text;
    if (form.ends_with("*")) form.pop_back();
    const auto* blank = form.empty() || form.starts_with("[=") ? "" : " ";
    const auto brief = short_name(*option);
    text +=
        fmt::format("{:<{}}{}\n",
                    fmt::format("  {}--{}{}{}", brief.empty() ? brief : brief + ", ", option->long_name(), blank, form),
                    kHelpColumn, option->description());
  }
  for (const auto& group : groups_) text += group.help();
  return text;
}

Arguments::Arguments(const std::vector<std::string>& arguments, const OptionTable& options) {
  const auto table = options.all();
  try {
    po::command_line_parser parser(arguments);
    parser.options(table);
    parser.extra_style_parser([&](std::vector<std::string>& tokens) { return take_option(tokens, table); });
    const auto parsed = parser.run();
    for (const auto& option : parsed.options) {
      if (option.string_key.empty()) positional_.insert(positional_.end(), option.value.begin(), option.value.end());
    }
    po::store(parsed, values_);
  } catch (const po::multiple_occurrences& error) {
    refuse(error.get_option_name(), "the option may stand only once");
  }
}

bool Arguments::has(const std::string& option) const { return values_.count(option) > 0; }

std::optional<std::string> Arguments::value(const std::string& option) const {
  if (!has(option)) return std::nullopt;
  return values_[option].as<std::string>();
}

std::vector<std::string> Arguments::values(const std::string& option) const {
  if (!has(option)) return {};
  return values_[option].as<std::vector<std::string>>();
}

std::string Arguments::require(const std::string& option, std::string_view value_form) const {
  if (!has(option)) refuse("--" + option, "the option is needed", "", fmt::format("give --{} {}", option, value_form));
  return *value(option);
}

std::optional<std::int64_t> Arguments::whole(const std::string& option, std::int64_t least) const {
  if (!has(option)) return std::nullopt;
  return read_whole("--" + option, *value(option), least);
}

std::string Arguments::only(std::string_view what) const {
  if (positional_.empty()) refuse(std::string(what), "it is needed", "none given");
  if (positional_.size() > 1) {
    refuse(fmt::format("\"{}\"", positional_[1]), fmt::format("only one {} is taken", what),
           fmt::format("there is \"{}\" already", positional_[0]));
  }
  return positional_.front();
}

void Arguments::no_positional() const {
  if (!positional_.empty()) refuse(fmt::format("\"{}\"", positional_.front()), "no such argument is taken");
}

double read_number(const std::string& option, std::string_view text, double least, double most) {
  const auto number = parse_number(text);
  if (!number) refuse(option, "the value is a number", fmt::format("found \"{}\"", text));
  if (*number < least || *number > most) {
    const auto range = most < std::numeric_limits<double>::max() ? fmt::format("from {} to {}", least, most)
                                                                 : fmt::format("of at least {}", least);
    refuse(option, fmt::format("the value is a number {}", range), fmt::format("found {}", text));
  }
  return *number;
}

std::int64_t read_whole(const std::string& option, std::string_view text, std::int64_t least) {
  const auto number = parse_number(text);
  if (!number || !is_whole(*number, least)) {
    refuse(option, fmt::format("the value is a whole number from {} to 2^53", least),
           fmt::format("found \"{}\"", text));
  }
  return static_cast<std::int64_t>(*number);
}

}  // namespace warpipe::app
