#include "command_line/missing_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "terminal/flags.hpp"
#include "terminal/messages.hpp"
#include "warpipe/isa/assumption.hpp"

namespace warpipe::app {
namespace {

/// A word as a shell reads it.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The call with options for all missing answers, as a shell reads it.
std::string with_answers(const std::vector<std::string>& words, const isa::UnknownData& lack) {
  std::string call = "warpipe";
  for (const auto& word : words) call += " " + quoted(word);
  for (const auto& one : lack.assumptions) {
    const auto option = with_flags(isa::answer_text(one, one.value));
    const auto blank = option.find(' ');
    if (blank != std::string::npos) call += " " + option.substr(0, blank) + " " + quoted(option.substr(blank + 1));
  }
  return call + (lack.needs_assume ? " --assume" : "");
}

/// Asks for all data missing in an import, with advice to go on.
ExitStatus ask(const isa::UnknownData& lack, const std::vector<std::string>& words) {
  const auto is_launch = [](const isa::Assumption& one) {
    return one.kind == isa::Assumption::Kind::Block || one.kind == isa::Assumption::Kind::Grid;
  };
  for (const auto& question : lack.diagnostics()) say_error(to_string(question));
  to_standard_error(fmt::format("warpipe: with guesses in place of what is missing, or with --assume:\n  {}\n",
                                with_answers(words, lack)));
  return std::ranges::all_of(lack.assumptions, is_launch) ? ExitStatus::Usage : ExitStatus::BadInput;
}

}  // namespace

ExitStatus asking_for_what_lacks(const std::vector<std::string>& words, const Arguments& arguments,
                                 const std::function<ExitStatus()>& verb) {
  try {
    return verb();
  } catch (const isa::UnknownData& lack) {
    if (lack.assumptions.empty() || arguments.has("assume")) throw;
    return ask(lack, words);
  }
}

}  // namespace warpipe::app
