#include <fmt/format.h>

#include "config_import.hpp"
#include "import_view.hpp"
#include "options.hpp"
#include "output.hpp"
#include "ptx_kernel.hpp"
#include "verbs.hpp"
#include "warpipe/kernels/write_kernel.hpp"

namespace warpipe::app {
namespace {

ExitStatus import_ptx_file(const Arguments& arguments) {
  if (arguments.has("name")) refuse("--name", "the option is for .config files", "", "a kernel is named as its entry");
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

ExitStatus run(const Arguments& arguments) {
  return names_simulator_config(arguments) ? import_config(arguments) : import_ptx_file(arguments);
}

constexpr std::string_view kNotes = R"(
Without --output the kernel or device goes to standard output; with it, a report of what was found does.

GPU.config, further ones behind it: the gpgpusim.config and trace.config of GPGPU-Sim and Accel-Sim give a device file
with their (latency, initiation interval) pairs, labelled as a simulator's. What they do not say is left out.

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
  options.add("output,o", "FILE.json", "the kernel or device as a file of warpipe's own")
      .add("report", "", "print what was found instead of the kernel or device")
      .add("name", "NAME", "of the device (default: that of FILE.json)")
      .add("warp-size", "N", "lanes of a warp (default: 32)")
      .add(ptx_option_table())
      .add(plain_option_table());
  return {"import",
          "KERNEL.ptx --block X --grid X [options] | GPU.config... [options]",
          "the graph of a PTX kernel, or the device of a simulator's configuration",
          options,
          run,
          notes()};
}

}  // namespace warpipe::app
