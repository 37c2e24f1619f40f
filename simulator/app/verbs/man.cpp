#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "command_line/man_page.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::app {
namespace {

std::string page_of(const std::string& name, const std::vector<Verb>& verbs) {
  const auto verb = std::ranges::find(verbs, name, &Verb::name);
  if (verb != verbs.end()) return verb_page(*verb);
  std::vector<std::string> names;
  for (const auto& each : verbs) names.emplace_back(each.name);
  refuse(fmt::format("\"{}\"", name), "there is no such verb", "", suggest(name, names));
}

void write_all(const std::filesystem::path& directory, const std::vector<Verb>& verbs) {
  Output(directory / "warpipe.1").write(program_page(verbs));
  for (const auto& verb : verbs) Output(directory / fmt::format("warpipe-{}.1", verb.name)).write(verb_page(verb));
}

ExitStatus run(const Arguments& arguments) {
  const auto verbs = all_verbs();
  if (const auto directory = arguments.value("into")) {
    arguments.no_positional();
    write_all(*directory, verbs);
  } else {
    Output().write(arguments.positional().empty() ? program_page(verbs) : page_of(arguments.only("VERB"), verbs));
  }
  return ExitStatus::Done;
}

}  // namespace

Verb man_verb() {
  OptionTable options("Options");
  options.add("into", "DIR", "write the pages of the program and of all verbs into files in DIR");
  return {"man", "[VERB] [options]", "a manual page, for `man -l -`", options.add(plain_option_table()), run};
}

}  // namespace warpipe::app
