#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "command_line/examples.hpp"
#include "command_line/help.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/version.hpp"
#include "warpipe/views/wrap.hpp"

namespace warpipe::app {
namespace {

/// Escapes the characters that roff would interpret: backslashes, dashes, and a point or quote at the start.
std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else {
      if (c == '-') escaped += '\\';
      escaped += c;
    }
  }
  return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

std::string paragraph(const std::string& text) {
  constexpr std::size_t kWidth = 72;
  std::string lines;
  for (const auto& line : wrap(text, kWidth)) lines += escape(line) + "\n";
  return lines;
}

/// An entry of a list: the term in bold, its text indented.
std::string entry(std::string_view term, const std::string& text) {
  return fmt::format(".TP\n.B {}\n{}", escape(term), paragraph(text));
}

/// Text whose lines and blanks stay as they are.
std::string example(std::string_view text) {
  std::string lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines += line.empty() ? ".sp\n" : escape(line) + "\n";
  return ".EX\n" + lines + ".EE\n";
}

std::string start(const std::string& name, std::string_view purpose) {
  std::string capitals = name;
  std::ranges::transform(capitals, capitals.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".TH {} 1 {} \"warpipe {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", escape(capitals),
                     WARPIPE_DATE, WARPIPE_VERSION, escape(name), escape(purpose));
}

std::string options(const Verb& verb) {
  std::string text;
  std::string_view group = kOwnOptions;
  for (const auto* option : shown_options(verb)) {
    if (option->group != group) text += fmt::format(".SS {}\n", escape(option->group));
    group = option->group;
    text += entry(option->as_shown(), option->help);
  }
  return text;
}

struct Term {
  std::string_view name, meaning;
};

constexpr std::array<Term, 2> kFiles{
    {{"../share/warpipe", "beside the program: the folders kernels and devices, with the shipped ones"},
     {"~/.cache/warpipe", "answers of earlier runs; see WARPIPE_CACHE"}}};

constexpr std::array<Term, 6> kEnvironment{
    {{"WARPIPE_DATA",
      "a directory with the folders kernels and devices, searched for shipped names after that of "
      "--data and before the program's own"},
     {"WARPIPE_CACHE", "a folder for the answers of earlier runs, or off; --cache goes before it"},
     {"WARPIPE_FORM", "ptx or cubin: what PTX is read as; --form goes before it"},
     {"NO_COLOR",
      "if it is not empty, nothing is coloured; nor is output that does not go to a terminal, or if TERM is dumb; "
      "--color goes before it"},
     {"TERM", "what the terminal can do; see NO_COLOR"},
     {"COLUMNS", "the width of the terminal, which reports fit"}}};

constexpr std::array<Term, 7> kStatuses{
    {{"0", "done"},
     {"1", "internal error, or a write that failed"},
     {"2", "usage: unknown verb, option or name, bad value"},
     {"3", "bad input: a file that cannot be read or is wrong in itself, an output that cannot be created"},
     {"4", "files that are good, but do not fit together"},
     {"5", "a gate failed"},
     {"130, 143", "interrupted, terminated"}}};

template <std::size_t kCount>
std::string section(std::string_view title, const std::array<Term, kCount>& terms) {
  std::string text = fmt::format(".SH {}\n", title);
  for (const auto& [name, meaning] : terms) text += entry(name, std::string(meaning));
  return text;
}

/// The manual page warpipe(1), in roff with the macros of man(7).
std::string program_page(const std::vector<Verb>& verbs) {
  std::string text = start("warpipe", program_purpose());
  text += ".SH SYNOPSIS\n.B warpipe\nVERB [options]\n.SH DESCRIPTION\n";
  text += paragraph(
      "warpipe predicts how long a GPU kernel runs, what limits it, and what would change it: from the kernel's "
      "instruction dependence graph and a device's latency table, by simulation, without a GPU. KERNEL and DEVICE are "
      "files, - for standard input, or the names of shipped files.");
  text += ".SH VERBS\n";
  for (const auto& verb : verbs) {
    text += fmt::format(".TP\n.BR warpipe\\-{} (1)\n{}", escape(verb.name), paragraph(std::string(verb.purpose)));
  }
  text +=
      ".SH OPTIONS\n" +
      entry("--help", "print the verbs; after a verb, its options, with --help=all also those that are rarely used") +
      entry("--version", "print the version");
  text += section("ENVIRONMENT", kEnvironment) + section("EXIT STATUS", kStatuses) + ".SH EXAMPLES\n";
  for (const auto command : examples()) text += example(command);
  return text;
}

/// The manual page of a verb: warpipe-simulate(1).
std::string verb_page(const Verb& verb) {
  std::string text = start(fmt::format("warpipe-{}", verb.name), verb.purpose);
  text += fmt::format(".SH SYNOPSIS\n.B warpipe {}\n{}\n.SH OPTIONS\n", escape(verb.name), escape(verb.usage));
  text += options(verb);
  if (!verb.notes.empty()) text += ".SH NOTES\n" + example(verb.notes.substr(verb.notes.find_first_not_of('\n')));
  text += ".SH EXAMPLES\n";
  for (const auto call : examples_of(verb.name)) text += example(call);
  return text + section("ENVIRONMENT", kEnvironment) + section("FILES", kFiles) + section("EXIT STATUS", kStatuses) +
         ".SH SEE ALSO\n.BR warpipe (1)\n";
}

std::string page_of(const std::string& name, const std::vector<Verb>& verbs) {
  const auto verb = std::ranges::find(verbs, name, &Verb::name);
  if (verb != verbs.end()) return verb_page(*verb);
  std::vector<std::string> names;
  for (const auto& each : verbs) names.emplace_back(each.name);
  refuse(fmt::format("\"{}\"", name), "unknown verb", "", suggest(name, names));
}

void write_all(const std::filesystem::path& directory, const std::vector<Verb>& verbs) {
  Output(directory / "warpipe.1").write(program_page(verbs));
  for (const auto& verb : verbs) Output(directory / fmt::format("warpipe-{}.1", verb.name)).write(verb_page(verb));
}

ExitStatus run_man(const Arguments& arguments) {
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

Verb man_verb() { return {"man", "[VERB] [options]", "a manual page, for `man -l -`", run_man}; }

}  // namespace warpipe::app
