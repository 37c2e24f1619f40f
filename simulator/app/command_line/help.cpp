#include "command_line/help.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "command_line/examples.hpp"
#include "warpipe/views/wrap.hpp"

namespace warpipe::app {
namespace {

constexpr std::array<std::string_view, 3> kExamples{
    "warpipe simulate mmul16 --device gtx1060", "warpipe sweep saxpy --device v100 --vary concurrent_groups=1:8",
    "warpipe what-if strided_copy --device v100 --param stride=2 n=1048576"};

std::string shown_examples() {
  std::string text;
  for (const auto example : kExamples) text += fmt::format("  {}\n", example);
  return text;
}

constexpr std::size_t kHelpColumn = 28;
constexpr std::size_t kWidth = 80;

/// An option and its text, wrapped if it is long.
std::string option_help(const Option& option) {
  std::string text, before = "  " + option.as_shown();
  if (before.size() + 1 >= kHelpColumn) text = std::exchange(before, "") + '\n';
  return text + hanging(fmt::format("{:<{}}", before, kHelpColumn), option.help);
}

std::string options_help(const Options& options) {
  std::string text;
  std::string_view group;
  for (const auto* option : options) {
    if (option->group != group) text += fmt::format("\n{}:\n", option->group);
    group = option->group;
    text += option_help(*option);
  }
  return text;
}

std::string examples_help(const Verb& verb) {
  std::string text = "\nExamples:\n";
  for (const auto call : examples_of(verb.name)) text += fmt::format("  {}\n", call);
  return text;
}

}  // namespace

std::string hanging(std::string start, std::string_view words) {
  std::string text;
  for (const auto& line : wrap(std::string(words), kWidth - start.size())) {
    text += start + line + '\n';
    start.assign(start.size(), ' ');
  }
  return text;
}

std::string_view program_purpose() { return "an executable performance model for GPU kernels"; }

std::span<const std::string_view> examples() { return kExamples; }

std::string short_help() {
  return "How long will a GPU kernel run, what limits it, and what would change it?\nFor example:\n\n" +
         shown_examples() + "\nwarpipe --help lists the verbs, warpipe VERB --help the options of a verb.\n";
}

std::string program_help(const std::vector<Verb>& verbs) {
  std::string text = fmt::format("warpipe: {}\n\nusage: warpipe VERB [options]\n\n", program_purpose());
  for (const auto& verb : verbs) text += hanging(fmt::format("  {:<11}  ", verb.name), verb.purpose);
  return text + R"(
warpipe VERB --help lists the options of a verb, --help=all those that are
rarely used, too; warpipe --version prints the version. KERNEL and DEVICE are
files, - for standard input, or the names of shipped files.

Examples:
)" + shown_examples();
}

std::string verb_help(const Verb& verb, bool with_rare) {
  auto shown = shown_options(verb);
  const auto rare =
      std::erase_if(shown, [&](const Option* option) { return !with_rare && option->traits.shown == Shown::Rarely; });
  const auto more = rare == 0 ? "" : fmt::format("\n{} more, rarely used: warpipe {} --help=all\n", rare, verb.name);
  return hanging(fmt::format("usage: warpipe {} ", verb.name), verb.usage) + '\n' + hanging("", verb.purpose) +
         options_help(shown) + more + std::string(verb.notes) + examples_help(verb);
}

Options shown_options(const Verb& verb) {
  auto options = verb.options;
  std::erase_if(options, [](const Option* option) { return option->traits.shown == Shown::Never; });
  return options;
}

}  // namespace warpipe::app
