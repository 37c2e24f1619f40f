#include "verbs/config_import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "command_line/data_files.hpp"
#include "command_line/ptx_kernel.hpp"
#include "terminal/output.hpp"
#include "warpipe/idg/expression.hpp"
#include "warpipe/latency_tables/simulator_config.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

bool is_config(const std::string& file) { return file.ends_with(".config"); }

/// The files of a simulator are all called alike, so the name comes from what is written.
std::string device_name(const Arguments& arguments, const std::string& output) {
  const auto given = arguments.value("name");
  if (given && !is_dotted_name(*given))
    refuse("--name", "a name has letters, digits and _, is not led by a digit, and may have dots inside",
           fmt::format("found \"{}\"", *given));
  const auto stem = fs::path(output).stem().string();
  return given.value_or(is_dotted_name(stem) ? stem : "imported");
}

std::vector<ConfigFile> read_files(const std::vector<std::string>& paths) {
  std::vector<ConfigFile> files;
  for (const auto& path : paths) {
    if (!is_config(path))
      refuse(path, "the files of a simulator's configuration end in .config", "", "import a PTX file on its own");
    files.push_back({fs::path(path).filename().string(), read_input(path).text});
  }
  return files;
}

std::string write_text(const ImportedConfig& imported) {
  const auto& device = imported.device;
  auto text = fmt::format("{}: {} units at {:.6g} MHz, {} ops with a simulator's latencies\n\n", device.name,
                          device.compute_units, device.clock.count / 1e6, device.ops.size());
  text += fmt::format("{:<16}{:<10}{:>8}{:>12}  {}\n", "Op", "pipeline", "issue", "completion", "from");
  for (const auto& op : device.ops)
    text += fmt::format("{:<16}{:<10}{:>8.4g}{:>12.6g}  {}\n", op.name, device.pipelines[op.pipeline].name,
                        op.issue.points.front().second, op.completion.points.front().second, op.source->reference);
  text += fmt::format("\nNot in the files: {}\n", fmt::join(imported.missing, " "));
  for (const auto& note : imported.notes) text += fmt::format("note: {}\n", note);
  return text;
}

}  // namespace

bool names_simulator_config(const Arguments& arguments) {
  return std::ranges::any_of(arguments.positional(), is_config);
}

ExitStatus import_config(const Arguments& arguments) {
  check_ptx_options(arguments, arguments.positional().front());
  if (arguments.has("warp-size")) refuse("--warp-size", "the option is for PTX files", "", "leave it out");
  const auto file = arguments.value("output").value_or("");
  const Output table(file);
  const auto imported = import_simulator_config(read_files(arguments.positional()), device_name(arguments, file));
  const bool report = arguments.has("report") || !is_standard_output(file);
  if (!arguments.has("report") || !file.empty()) table.write(write_device_json(imported.device));
  if (report) Output().write(write_text(imported));
  return ExitStatus::Done;
}

}  // namespace warpipe::app
