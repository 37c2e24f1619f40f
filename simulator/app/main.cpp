#include <fmt/format.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <csignal>
#include <iterator>

#include "answers/known_call.hpp"
#include "cluster/link.hpp"
#include "command_line/help.hpp"
#include "command_line/inputs.hpp"
#include "command_line/missing_answers.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/colours.hpp"
#include "terminal/exit_status.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/version.hpp"

namespace warpipe::app {
namespace {

[[noreturn]] void refuse_verb(const std::string& word, const std::vector<Verb>& verbs) {
  if (word.starts_with("-")) refuse(word, "an option cannot come before the verb", "", "begin with a verb");
  std::vector<std::string> names;
  for (const auto& verb : verbs) names.emplace_back(verb.name);
  refuse(fmt::format("\"{}\"", word), "unknown verb", "", suggest(word, names));
}

ExitStatus run_verb(const std::vector<std::string>& words, const Arguments& arguments, const Verb& verb,
                    KnownCall& known) {
  check_standard_input(arguments, verb);
  note_outputs(arguments, verb);
  if (known.say_again()) return ExitStatus::Done;
  known.write_down();
  return asking_for_what_lacks(words, arguments, [&] { return verb.run(arguments); });
}

/// @param help_call  set to the command that shows the help of the verb, once the verb is known
ExitStatus run(std::vector<std::string> words, std::string& help_call) {
  choose_colours(words);
  const auto verbs = all_verbs();
  if (!words.empty() && words.front() == "help") {  // help VERB is VERB --help
    words.erase(words.begin());
    words.insert(words.begin() + (words.empty() ? 0 : 1), "--help");
  }
  if (words.empty()) {
    Output().show(short_help());
    return ExitStatus::Usage;
  }
  const auto& first = words.front();
  if (first == "--help" || first == "-h" || first == "--help=all") {
    Output().show(program_help(verbs));
    return ExitStatus::Done;
  }
  if (first == "--version" || first == "-V") {
    Output().write("warpipe " WARPIPE_VERSION "\n" + name_of_mpi() + "\n");
    return ExitStatus::Done;
  }
  const auto verb = std::ranges::find(verbs, first, &Verb::name);
  if (verb == verbs.end()) refuse_verb(first, verbs);
  help_call = fmt::format("warpipe {} --help", verb->name);

  const Arguments arguments({std::next(words.begin()), words.end()}, verb->options);
  if (arguments.has("help")) {
    const bool asks_for_all =
        !arguments.value("help")->empty() || arguments.positional() == std::vector<std::string>{"all"};
    Output().show(verb_help(*verb, asks_for_all));
    return ExitStatus::Done;
  }
  KnownCall known(words, arguments, *verb);
  const auto status = run_verb(words, arguments, *verb, known);
  if (status == ExitStatus::Done) known.keep();
  return status;
}

}  // namespace

std::vector<Verb> all_verbs() {
  return {simulate_verb(),  launches_verb(),   run_verb(),      record_verb(),      sweep_verb(),     tune_verb(),
          occupancy_verb(), compare_verb(),    roofline_verb(), validate_verb(),    calibrate_verb(), what_if_verb(),
          diff_verb(),      graph_verb(),      import_verb(),   disassemble_verb(), derive_verb(),    check_verb(),
          list_verb(),      completion_verb(), man_verb()};
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
