#include "command_line/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/parsers.hpp>
#include <chrono>

#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/messages.hpp"
#include "terminal/output.hpp"
#include "warpipe/inputs/compiler.hpp"
#include "warpipe/latency_tables/compile_target.hpp"

namespace warpipe::app {
namespace {

constexpr std::int64_t kUsualSeconds = 600;

/// Whether a quote is open at the end of a text.
bool leaves_a_quote_open(const std::string& text) {
  char open = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (open == 0 && (text[at] == '"' || text[at] == '\'')) {
      open = text[at];
    } else if (text[at] == open) {
      open = 0;
    }
  }
  return open != 0;
}

/// The words of --compiler-flags, as a shell would split them.
std::vector<std::string> read_flags(const Arguments& arguments) {
  if (leaves_a_quote_open(arguments.value("compiler-flags").value_or("")))
    refuse("--compiler-flags", "a quote is not closed");
  try {
    return boost::program_options::split_unix(arguments.value("compiler-flags").value_or(""));
  } catch (const std::exception& error) {
    refuse("--compiler-flags", fmt::format("the words cannot be told apart: {}", error.what()));
  }
}

}  // namespace

CompilerOptions read_compiler_options(const Arguments& arguments) {
  return {.compiler = arguments.value("compiler").value_or(""),
          .flags = read_flags(arguments),
          .limit = std::chrono::seconds(
              std::min<std::int64_t>(arguments.whole("compiler-timeout", 1).value_or(kUsualSeconds), 1'000'000)),
          .guard = ended_by_signals};
}

void check_compiler_options(const Arguments& arguments, const std::string& other) {
  for (const auto* option : arguments.options())
    if (option->group == kSource && arguments.has(option->name))
      refuse("--" + option->name, fmt::format("the option is for source, and \"{}\" is not", other), "",
             "leave it out");
}

TextFile compile(const std::string& path, const Arguments& arguments, const Device* device,
                 const std::vector<std::string>& defines) {
  check_not_overwritten(path);
  const auto keep = arguments.value("keep");
  if (keep && is_standard_output(*keep)) refuse("--keep", "the results go to standard output", "", "give a file");
  const auto kept = keep ? std::make_optional<Output>(*keep) : std::nullopt;
  auto options = read_compiler_options(arguments);
  for (const auto& define : defines) options.flags.push_back("-D" + define);
  const auto compiled = [&] {
    try {
      return compile_source(path, device, options);
    } catch (const CompilerFailed& failed) {
      to_standard_error(failed.printed);
      auto problem = failed.diagnostics().front();
      if (!failed.printed.empty()) problem.found = "what it printed stands above";
      throw InputError(std::move(problem));
    }
  }();
  if (!compiled.warning.empty()) warn(read_voice(arguments), compiled.warning);
  note(read_voice(arguments), fmt::format("compiled {} with {}{}{}", path, compiled.compiler,
                                          compiled.target.empty() ? "" : " for " + compiled.target,
                                          defines.empty() ? "" : fmt::format(", {}", fmt::join(defines, ", "))));
  auto made = compiled.code;
  if (!kept) return made;
  kept->write(made.text);
  made.name = *keep;
  return made;
}

TextFile read_program(const std::string& path, const Arguments& arguments, const Device* device) {
  if (is_source(path)) return compile(path, arguments, device);
  check_compiler_options(arguments, path);
  return read_kernel_input(path, device == nullptr ? "" : compile_target(*device));
}

}  // namespace warpipe::app
