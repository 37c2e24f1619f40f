#include <fmt/format.h>

#include "command_line/options.hpp"
#include "command_line/ptx_kernel.hpp"
#include "terminal/output.hpp"
#include "verbs/config_import.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/kernels/write_kernel.hpp"
#include "warpipe/views/import_view.hpp"

namespace warpipe::app {
namespace {

/// Where the kernel and what is told of it go.
struct Destinations {
  explicit Destinations(const Arguments& arguments);

  std::string kernel, json;
  bool writes_kernel = true, writes_text = false, writes_json = false;
};

Destinations::Destinations(const Arguments& arguments)
    : kernel(arguments.value("output").value_or("")),
      json(arguments.value("json").value_or("")),
      writes_text(arguments.has("report")),
      writes_json(arguments.has("json")) {
  const bool kernel_here = !kernel.empty() && is_standard_output(kernel);
  const bool json_here = writes_json && is_standard_output(json);
  if (writes_text + json_here + kernel_here > 1)
    refuse("--output", "one of the kernel, --report and --json goes to standard output", "found more",
           "write --output FILE, --json=FILE");
  const bool told_here = writes_text || json_here;
  writes_kernel = !kernel.empty() || !told_here;
  writes_text = writes_text || (!kernel.empty() && !kernel_here && !json_here);
}

ExitStatus import_ptx_file(const Arguments& arguments) {
  if (arguments.has("name")) refuse("--name", "the option is for .config files", "", "a kernel is named as its entry");
  const auto path = arguments.only("KERNEL.ptx");
  const Destinations to(arguments);
  const Output kernel(to.kernel), json(to.json);
  const auto imported = import_kernel(read_kernel_input(path), arguments, arguments.whole("warp-size", 1).value_or(32));
  if (to.writes_kernel) kernel.write(write_kernel_json(imported.kernel));
  if (to.writes_json) json.write(write_json(imported.report));
  if (to.writes_text) Output().write(write_text(imported.report));
  if (!to.writes_text)
    for (const auto& note : imported.report.notes) warn(read_voice(arguments), note);
  return ExitStatus::Done;
}

ExitStatus run(const Arguments& arguments) {
  if (!names_simulator_config(arguments)) return import_ptx_file(arguments);
  if (arguments.has("json")) refuse("--json", "the option is for PTX files", "", "give --report");
  return import_config(arguments);
}

constexpr std::string_view kNotes = R"(
Without --output the kernel or device goes to standard output; with it, a report of what was found
does.

GPU.config, further ones behind it: the gpgpusim.config and trace.config of GPGPU-Sim and Accel-Sim
give a device file with their (latency, initiation interval) pairs, labelled as a simulator's. What
they do not say is left out.

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
      .add("json", "[=FILE]", "what was found in PTX as JSON, to standard output or FILE")
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
