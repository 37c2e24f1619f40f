#include "command_line/output_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "command_line/verb.hpp"
#include "terminal/output.hpp"
#include "warpipe/report/html.hpp"

namespace warpipe::app {
namespace {

/// Identifies a file, whatever its names.
using Identity = std::pair<dev_t, ino_t>;

/// @return nothing if there is no file; nothing for pipes and devices, whose content cannot be lost
std::optional<Identity> identity(int found, const struct stat& status) {
  if (found != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

std::optional<Identity> identity_of(const std::string& path) {
  struct stat status {};
  return identity(::stat(path.c_str(), &status), status);
}

std::optional<Identity> identity_of(int descriptor) {
  struct stat status {};
  return identity(::fstat(descriptor, &status), status);
}

/// A place for a result, named by an option.
struct NamedOutput {
  std::string option, given;
  std::string place;  ///< absolute, with links resolved
  std::optional<Identity> identity;
};

/// The outputs of the command line, a single list per process.
std::vector<NamedOutput>& outputs() {
  static std::vector<NamedOutput> all;
  return all;
}

NamedOutput named_output(const std::string& option, const std::string& given) {
  if (is_standard_output(given)) return {option, given, "standard output", std::nullopt};
  return {option, given, resolved(std::filesystem::absolute(given).string()), identity_of(given)};
}

bool are_one(const NamedOutput& a, const NamedOutput& b) {
  if (a.identity || b.identity) return a.identity == b.identity;
  struct stat status {};
  const bool is_device = ::stat(a.place.c_str(), &status) == 0;  // or a pipe, which can take both
  return a.place == b.place && !is_device;
}

}  // namespace

void note_outputs(const Arguments& arguments, const Verb& verb) {
  auto& known = outputs();
  known = {{"standard output", "", "", identity_of(STDOUT_FILENO)}};
  for (const auto* option : verb.options) {
    if (option->form.kind != ValueKind::File || option->form.is_input) continue;
    const auto given = arguments.value(option->name).value_or("");
    if (given.empty()) continue;
    const auto output = named_output("--" + option->name, given);
    for (const auto& other : known)
      if (are_one(output, other))
        refuse(fmt::format("{} {}", output.option, output.given), fmt::format("{} goes there too", other.option), "",
               "give each result a file of its own");
    known.push_back(output);
  }
}

void check_not_overwritten(const std::string& path) {
  const auto input = path == "-" ? identity_of(STDIN_FILENO) : identity_of(path);
  if (!input) return;
  for (const auto& output : outputs())
    if (output.identity == input && !output.given.empty())
      refuse(fmt::format("{} {}", output.option, output.given),
             fmt::format("this would overwrite {}, which is read", path == "-" ? "standard input" : path), "",
             "write another file");
}

void PageFiles::write(const Page& page) const {
  if (html) html->write(write_html(page));
  if (markdown) markdown->write(write_markdown(page));
}

std::string page_option(const Arguments& arguments) {
  return arguments.has("html") ? "--html" : arguments.has("markdown") ? "--markdown" : "";
}

std::optional<PageFiles> page_files(const Arguments& arguments) {
  if (page_option(arguments).empty()) return std::nullopt;
  const auto output = [&](const std::string& name) -> std::optional<Output> {
    const auto file = arguments.value(name);
    if (!file) return std::nullopt;
    if (*file == "-")
      refuse("--" + name, "the page cannot go to standard output, where the other results go", "",
             fmt::format("give --{} FILE", name));
    return Output(*file);
  };
  if (arguments.has("html")) require_charts();
  return PageFiles{output("html"), output("markdown")};
}

}  // namespace warpipe::app
