#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/data_files.hpp"
#include "command_line/options.hpp"
#include "command_line/ptx_kernel.hpp"
#include "terminal/output.hpp"
#include "verbs/check_defaults.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::app {
namespace {

std::string format_of(const std::string& text, const std::string& file) {
  Diagnostics set_aside;  // The reader of the format reports them again.
  const JsonDocument document(text, file, set_aside);
  const auto format = document.root().find("format");
  return format && format->is_string() ? *format->string() : std::string();
}

/// @return "kernel saxpy", or of PTX the entries
/// @throws InputError with every problem of the file
std::string check_file(const std::string& path) {
  const auto input = read_kernel_input(path);
  const auto& [file, text] = input;
  if (is_ptx(input)) return fmt::format("PTX {}", fmt::join(ptx::read_ptx(text, file).entries(), ", "));
  const auto format = format_of(text, file);
  if (format == "warpipe-device") return "device " + read_device_json(text, file).name;
  if (format != "warpipe-kernel") {
    throw InputError(Diagnostic{file + ": /format", "a format is \"warpipe-kernel\" or \"warpipe-device\"",
                                format.empty() ? "found none" : fmt::format("found \"{}\"", format), ""});
  }
  const auto kernel = read_kernel_json(text, file);
  if (auto problems = check_with_defaults(kernel); !problems.empty()) throw InputError(std::move(problems));
  return "kernel " + kernel.name;
}

ExitStatus run(const Arguments& arguments) {
  if (arguments.positional().empty()) refuse("FILE", "at least one is needed", "none given", "");
  Diagnostics problems;
  std::string good;
  for (const auto& path : arguments.positional()) {
    try {
      good += fmt::format("{}: {}: ok\n", path, check_file(path));
    } catch (const InputError& error) {
      for (const auto& problem : error.diagnostics()) problems.add(problem);
    }
  }
  Output().write(good);
  problems.throw_if_any();
  return ExitStatus::Done;
}

}  // namespace

Verb check_verb() {
  return {"check", "FILE...", "every problem in kernel, device or PTX files", plain_option_table(), run};
}

}  // namespace warpipe::app
