#include <fmt/format.h>

#include "import_view.hpp"
#include "options.hpp"
#include "output.hpp"
#include "ptx_kernel.hpp"
#include "verbs.hpp"
#include "warpipe/kernels/write_kernel.hpp"

namespace warpipe::app {
namespace {

ExitStatus run(const Arguments& arguments) {
  const auto path = arguments.only("KERNEL.ptx");
  const auto file = arguments.value("output").value_or("");
  const Output kernel(file);
  const auto imported = import_kernel(read_input(path), arguments, arguments.whole("warp-size", 1).value_or(32));
  const bool report = arguments.has("report") || (!file.empty() && file != "-");
  if (!arguments.has("report") || !file.empty()) kernel.write(write_kernel_json(imported.kernel));
  if (report) {
    Output().write(write_text(imported.report));
  } else {
    for (const auto& note : imported.report.notes) warn(read_voice(arguments), note);
  }
  return ExitStatus::Done;
}

constexpr std::string_view kNotes = R"(
Without --output the kernel goes to standard output; with it, a report of what was found does.

rules of --without: what ptxas does is not published, these are what its output shows
)";

std::string_view notes() {
  static const std::string text = [] {
    std::string all(kNotes);
    for (const auto& rule : ptx::kRules) all += fmt::format("  {:<15}  {}\n", rule.name, rule.meaning);
    return all;
  }();
  return text;
}

}  // namespace

Verb import_verb() {
  OptionTable options("Options");
  options.add("output,o", "KERNEL.json", "the kernel as a file of warpipe's own")
      .add("report", "", "print what was found instead of the kernel")
      .add("warp-size", "N", "lanes of a warp (default: 32)")
      .add(ptx_option_table())
      .add(plain_option_table());
  return {"import",
          "KERNEL.ptx --block X --grid X [options]",
          "the instruction dependence graph of a PTX kernel",
          options,
          run,
          notes()};
}

}  // namespace warpipe::app
