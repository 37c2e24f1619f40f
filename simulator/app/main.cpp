#include <fmt/format.h>
#include <fmt/ranges.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <csignal>
#include <iterator>

#include "cluster/link.hpp"
#include "command_line/help.hpp"
#include "command_line/inputs.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/exit_status.hpp"
#include "terminal/flags.hpp"
#include "terminal/messages.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/old_names.hpp"
#include "warpipe/isa/assumption.hpp"

namespace warpipe::app {
namespace {

[[noreturn]] void refuse_verb(const std::string& word, const std::vector<Verb>& verbs) {
  if (word.starts_with("-")) refuse(word, "an option cannot come before the verb", "", "begin with a verb");
  std::vector<std::string> names;
  for (const auto& verb : verbs) names.emplace_back(verb.name);
  refuse(fmt::format("\"{}\"", word), "unknown verb", "", suggest(word, names));
}

/// Says in one line, when the verb has done its work or failed, which old names were met.
class OldNamesNote {
 public:
  explicit OldNamesNote(Voice voice) : voice_(voice) {}
  OldNamesNote(const OldNamesNote&) = delete;
  OldNamesNote& operator=(const OldNamesNote&) = delete;
  ~OldNamesNote() {
    std::vector<std::string> parts;
    for (const Renaming& renaming : take_renamings())
      parts.push_back(fmt::format("{} is now called {}", renaming.old_name, renaming.new_name));
    const std::size_t more = parts.size() > kMostShown ? parts.size() - kMostShown : 0;
    parts.resize(parts.size() - more);
    if (more > 0) parts.push_back(fmt::format("and {} more", more));
    if (!parts.empty()) note(voice_, fmt::format("{}", fmt::join(parts, ", ")));
  }

 private:
  static constexpr std::size_t kMostShown = 4;
  Voice voice_;
};

/// A word as a shell reads it.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The call with options for all that it lacks, as a shell reads it.
std::string with_answers(const std::vector<std::string>& words, const std::vector<isa::Assumption>& lacking) {
  std::string call = "warpipe";
  for (const auto& word : words) call += " " + quoted(word);
  for (const auto& one : lacking) {
    const auto option = with_flags(isa::answer_text(one, one.value));
    const auto blank = option.find(' ');
    if (blank != std::string::npos) call += " " + option.substr(0, blank) + " " + quoted(option.substr(blank + 1));
  }
  return call;
}

/// Asks for all that an import lacks, and says how to go on.
ExitStatus ask(const isa::UnknownData& lack, const std::vector<std::string>& words) {
  const auto is_launch = [](const isa::Assumption& one) {
    return one.kind == isa::Assumption::Kind::Block || one.kind == isa::Assumption::Kind::Grid;
  };
  for (const auto& question : lack.diagnostics()) say_error(to_string(question));
  fmt::print(stderr, "warpipe: with guesses in place of what is missing, or with --assume:\n  {}\n",
             with_answers(words, lack.assumptions));
  return std::ranges::all_of(lack.assumptions, is_launch) ? ExitStatus::Usage : ExitStatus::BadInput;
}

/// @param help_call  set to the command that shows the help of the verb, once the verb is known
ExitStatus run(const std::vector<std::string>& words, std::string& help_call) {
  const auto verbs = all_verbs();
  if (words.empty()) {
    Output().write(short_help());
    return ExitStatus::Usage;
  }
  const auto& first = words.front();
  if (first == "--help" || first == "-h") {
    Output().write(program_help(verbs));
    return ExitStatus::Done;
  }
  if (first == "--version") {
    Output().write("warpipe " WARPIPE_VERSION "\n" + name_of_mpi() + "\n");
    return ExitStatus::Done;
  }
  const auto verb = std::ranges::find(verbs, first, &Verb::name);
  if (verb == verbs.end()) refuse_verb(first, verbs);
  help_call = fmt::format("warpipe {} --help", verb->name);

  const Arguments arguments({std::next(words.begin()), words.end()}, verb->options);
  if (arguments.has("help")) {
    Output().write(verb_help(*verb));
    return ExitStatus::Done;
  }
  const OldNamesNote old_names(read_voice(arguments));
  check_standard_input(arguments, *verb);
  note_outputs(arguments, *verb);
  try {
    return verb->run(arguments);
  } catch (const isa::UnknownData& lack) {
    if (lack.assumptions.empty() || arguments.has("assume")) throw;
    return ask(lack, words);
  }
}

}  // namespace

std::vector<Verb> all_verbs() {
  return {simulate_verb(), launches_verb(),  sweep_verb(),   occupancy_verb(),  compare_verb(), roofline_verb(),
          validate_verb(), calibrate_verb(), what_if_verb(), diff_verb(),       graph_verb(),   import_verb(),
          derive_verb(),   check_verb(),     list_verb(),    completion_verb(), man_verb()};
}

}  // namespace warpipe::app

namespace {

/// Each launch makes caches of megabytes and drops them. Where the allocator gives them back to the system each time, a
/// table of launches takes half as long again.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  // A write must fail, not kill the program, when a reader such as head ends early or a file reaches its size limit.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  keep_freed_memory();
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  std::string help_call = "warpipe --help";
  return warpipe::app::guarded([&] { return warpipe::app::run(words, help_call); }, help_call);
}
