#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "command_line/compiler.hpp"
#include "command_line/help.hpp"
#include "command_line/imported_kernel.hpp"
#include "command_line/options.hpp"
#include "terminal/flags.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/expression.hpp"
#include "warpipe/kernels/write_kernel.hpp"
#include "warpipe/latency_tables/simulator_config.hpp"
#include "warpipe/views/import_comparison.hpp"
#include "warpipe/views/import_view.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

/// Where the kernel and the report go.
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
    refuse("--output", "only one of the kernel, --report and --json can go to standard output", "",
           "write --output FILE, --json=FILE");
  const bool told_here = writes_text || json_here;
  writes_kernel = !kernel.empty() || !told_here;
  writes_text = writes_text || (!kernel.empty() && !kernel_here && !json_here);
}

std::optional<Device> given_device(const Arguments& arguments) {
  const auto name = arguments.value("device");
  return name ? std::optional(DataFiles(arguments.value("data")).device(*name)) : std::nullopt;
}

/// An import is for no device, but for the lanes of its warps, unless a device is named.
isa::Target given_target(const Arguments& arguments, const std::optional<Device>& device) {
  auto target = device ? import_target(*device) : isa::Target();
  target.warp_size = arguments.whole("warp-size", 1).value_or(target.warp_size);
  return target;
}

ImportComparison::Side import_side(const std::string& path, const Arguments& arguments) {
  const auto device = given_device(arguments);
  const auto source = read_import_source(read_program(path, arguments, device ? &*device : nullptr), arguments,
                                         given_target(arguments, device));
  const auto& module = source.module;
  return {fmt::format("{}, {} for {}", module.file(), module.language(), module.target()),
          import_kernel(source).report};
}

/// Compares two files of the same kernel.
ExitStatus compare_imports(const Arguments& arguments) {
  const auto& files = arguments.positional();
  if (files.size() != 2) refuse("--compare", "it needs two files of code", "", "write import --compare a.ptx a.cubin");
  for (const auto* option : {"output", "report", "json", "name"})
    if (arguments.has(option))
      refuse(fmt::format("--{}", option), "the option is not for --compare, which prints a text", "", "leave it out");
  Output().show(
      with_flags(write_text(ImportComparison{import_side(files[0], arguments), import_side(files[1], arguments)})));
  return ExitStatus::Done;
}

ExitStatus import_code(const Arguments& arguments) {
  if (arguments.has("name"))
    refuse("--name", "the option is for .config files: a kernel has the name of its entry", "", "leave it out");
  const auto path = arguments.only("KERNEL");
  const Destinations to(arguments);
  const Output kernel(to.kernel), json(to.json);
  const auto device = given_device(arguments);
  const auto imported = import_kernel(read_program(path, arguments, device ? &*device : nullptr), arguments,
                                      given_target(arguments, device));
  if (to.writes_kernel) kernel.write(write_kernel_json(imported.kernel));
  if (to.writes_json) json.write(write_json(imported.report));
  if (to.writes_text) Output().show(with_flags(write_text(imported.report)));
  if (!to.writes_text) warn_of_import(read_voice(arguments), imported.report);
  return ExitStatus::Done;
}

bool is_config(const std::string& file) { return file.ends_with(".config"); }

/// The files of a simulator all have the same names, so the device is named after the output file.
std::string device_name(const Arguments& arguments, const std::string& output) {
  const auto given = arguments.value("name");
  if (given && !is_dotted_name(*given))
    refuse("--name", fmt::format("\"{}\" is not a name", *given), "",
           "use letters, digits and _, with dots inside and no digit at the start");
  const auto stem = fs::path(output).stem().string();
  return given.value_or(is_dotted_name(stem) ? stem : "imported");
}

std::vector<ConfigFile> read_files(const std::vector<std::string>& paths) {
  std::vector<ConfigFile> files;
  for (const auto& path : paths) {
    if (!is_config(path)) refuse(path, "not a .config file", "", "import code on its own");
    files.push_back({fs::path(path).filename().string(), read_input(path).text});
  }
  return files;
}

std::string config_text(const ImportedConfig& imported) {
  const auto& device = imported.device;
  auto text = fmt::format("{}: {} units at {:.6g} MHz, {} ops with a simulator's latencies\n\n", device.name,
                          device.compute_units, device.clock.count / 1e6, device.ops.size());
  text += fmt::format("{:<16}{:<10}{:>8}{:>12}  {}\n", "Op", "pipeline", "issue", "completion", "from");
  for (const auto& op : device.ops)
    text += fmt::format("{:<16}{:<10}{:>8.4g}{:>12.6g}  {}\n", op.name, device.pipelines[op.pipeline].name,
                        op.issue.points.front().second, op.completion.points.front().second, op.source->reference);
  if (has_levels(device)) text += fmt::format("\n{:<16}{:>18}{:>12}  {}\n", "Level", "bytes", "latency", "from");
  for (std::size_t i = 0; device.memory && i < device.memory->levels.size(); ++i) {
    const MemoryLevel& level = device.memory->levels[i];
    text += fmt::format("{:<16}{:>18}{:>12.6g}  {}\n", level.name, level.bytes ? std::to_string(*level.bytes) : "",
                        latency_of(level, device.clock).count, level.source->reference);
  }
  text += fmt::format("\nNot in the files: {}\n", fmt::join(imported.missing, " "));
  for (const auto& note : imported.notes) text += fmt::format("note: {}\n", note);
  return text;
}

bool names_simulator_config(const Arguments& arguments) {
  return std::ranges::any_of(arguments.positional(), is_config);
}

ExitStatus import_config(const Arguments& arguments) {
  check_import_options(arguments, arguments.positional().front());
  check_compiler_options(arguments, arguments.positional().front());
  for (const auto* option : {"device", "warp-size"})
    if (arguments.has(option)) refuse(fmt::format("--{}", option), "the option is for code", "", "leave it out");
  const auto file = arguments.value("output").value_or("");
  const Output table(file);
  const auto imported = import_simulator_config(read_files(arguments.positional()), device_name(arguments, file));
  const bool report = arguments.has("report") || !is_standard_output(file);
  if (!arguments.has("report") || !file.empty()) table.write(write_device_json(imported.device));
  if (report) Output().show(config_text(imported));
  return ExitStatus::Done;
}

ExitStatus run_import(const Arguments& arguments) {
  if (arguments.has("compare")) return compare_imports(arguments);
  if (!names_simulator_config(arguments)) return import_code(arguments);
  if (arguments.has("json")) refuse("--json", "the option is for code", "", "give --report");
  return import_config(arguments);
}

constexpr std::string_view kImportNotes = R"(
The kernel or device goes to standard output. With --output it goes to that
file, and a report of what was found goes to standard output.

GPU.config...: the gpgpusim.config and trace.config of GPGPU-Sim and Accel-Sim
give a device file with their (latency, initiation interval) pairs, labelled as
those of a simulator. The device file leaves out what they do not say.

rules of --without, taken from the output of ptxas, whose rules are not public
)";

std::string_view import_notes() {
  static const std::string text = [] {
    std::string all(kImportNotes);
    for (const auto& rule : ptx::kRules) all += hanging(fmt::format("  {:<16}  ", rule.name), rule.meaning);
    return all;
  }();
  return text;
}

}  // namespace

Verb import_verb() {
  return {"import", "KERNEL [options] | --compare A B [options] | GPU.config... [options]",
          "the graph of a kernel from code, or the device of a simulator's configuration", run_import, import_notes()};
}

}  // namespace warpipe::app
