#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command_line/compiler.hpp"
#include "command_line/imported_kernel.hpp"
#include "command_line/inputs.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/explain/difference.hpp"
#include "warpipe/explain/result_json.hpp"
#include "warpipe/explain/simulation.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/compile_target.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/difference_view.hpp"

namespace warpipe::app {
namespace {

/// One of the two sides: a saved result, or a kernel on a device.
struct Side {
  TextFile file;
  std::string entry;  ///< of FILE:ENTRY
  bool is_saved = false;
  std::optional<std::string> device;  ///< of a kernel
};

Side read_side(const std::string& name, const std::optional<std::string>& device, const Arguments& arguments,
               const DataFiles& files) {
  const auto kernel = named_kernel(name, files);
  const auto read = device ? std::make_optional(files.device(*device)) : std::nullopt;
  auto file = is_source(kernel.path) ? compile(kernel.path, arguments, read ? &*read : nullptr)
                                     : read_kernel_input(kernel.path, read ? compile_target(*read) : "");
  require_entry(kernel, file);
  const bool is_saved = !is_code(file) && is_saved_result(file.text);
  return {std::move(file), kernel.entry, is_saved, device};
}

/// Reads A and B, or a single kernel for two devices.
std::vector<Side> read_sides(const Arguments& arguments, const DataFiles& files) {
  const auto& names = arguments.positional();
  const auto device = arguments.value("device");
  const auto device_b = arguments.value("device-b");
  if (names.empty())
    refuse("A", "this argument is missing", "", "give two kernels or saved results, or one kernel and --device-b");
  if (names.size() > 2)
    refuse("\"" + names[2] + "\"", "one argument too many: A and B are given already", "",
           arguments.advice_for(names[2]));
  if (names.size() == 1 && !device_b)
    refuse("B", "this argument is missing", "", "give a second kernel or result, or another device with --device-b");
  const auto is_compiled = [&](const std::string& name) { return is_source(named_kernel(name, files).path); };
  const bool both = names.size() == 1 || std::ranges::all_of(names, is_compiled);
  if (arguments.has("keep") && both && is_compiled(names[0]))
    refuse("--keep", "two compilations cannot be kept in one file", "", "keep each by a run of its own, as by import");
  std::vector<Side> sides;
  for (const auto& name : names) {
    const auto& its_device = sides.empty() || !device_b ? device : device_b;
    sides.push_back(read_side(name, its_device, arguments, files));
  }
  if (sides.size() == 2) return sides;
  const bool again = !sides[0].file.source.empty();  // for the other device
  sides.push_back(again ? read_side(names[0], device_b, arguments, files) : sides[0]);
  sides[1].device = device_b;
  return sides;
}

/// The names of the options with an effect on a run or its report.
std::vector<std::string> options_of_runs() {
  std::vector<std::string> names{"range"};
  for (const auto* option : options_of("diff"))
    if (option->group == kLaunch) names.push_back(option->name);
  return names;
}

/// Refuses options without an effect.
void check_options(const Arguments& arguments, const std::vector<Side>& sides) {
  const bool all_saved = sides[0].is_saved && sides[1].is_saved;
  if (sides[1].is_saved && arguments.has("device-b"))
    refuse("--device-b", fmt::format("{} is a saved result, which has its device", sides[1].file.name), "",
           "leave it out");
  if (all_saved && arguments.has("device"))
    refuse("--device", "A and B are saved results, which have their devices", "", "leave it out");
  if (all_saved)
    for (const auto& name : options_of_runs())
      if (arguments.has(name))
        refuse("--" + name, "A and B are saved results, which no launch option changes", "",
               "give it to simulate --json");
  const auto compiled = std::ranges::count_if(sides, [](const Side& side) { return !side.file.source.empty(); });
  if (compiled == 0) check_compiler_options(arguments, sides[0].file.name);
  bool any_ptx = false;
  for (const auto& side : sides)
    if (is_code(side.file)) {
      check_import_options(arguments, side.file);
      any_ptx = true;
    }
  if (!any_ptx) check_import_options(arguments, sides[0].file.name);
}

Kernel kernel_of(const Side& side, const Arguments& arguments, const Device& device) {
  if (!is_code(side.file)) return read_kernel_json(side.file.text, side.file.name);
  const auto given = read_given_launch(arguments, side.entry);
  auto imported = import_kernel(read_import_source(side.file, given, arguments, target_of(device, arguments)));
  warn_of_import(read_voice(arguments), imported.report);
  return std::move(imported.kernel);
}

Outcome saved_outcome(const Side& side, const Arguments& arguments) {
  auto outcome = read_result_json(side.file.text, side.file.name);
  if (!read_range(arguments, true)) outcome.prediction.range.reset();
  return outcome;
}

Outcome outcome_of(const Side& side, const Arguments& arguments, const DataFiles& files, const LaunchOptions& options) {
  if (side.is_saved) return saved_outcome(side, arguments);
  if (!side.device)
    refuse("--device", fmt::format("the option is missing, and {} is a kernel", side.file.name), "",
           "give --device DEVICE");
  const auto device = files.device(*side.device);
  const auto kernel = kernel_of(side, arguments, device);
  const auto outcome = [&] {
    const ProgressLine progress(read_voice(arguments), simulation("simulating", kernel, device, options, true));
    Simulation simulation(lower_launch(kernel, device, options), {.stalls = true});
    return Outcome{simulation.prediction(), simulation.explanation()};
  }();
  for (const auto& warning : outcome.prediction.warnings) warn(read_voice(arguments), warning);
  return outcome;
}

/// @return the percent of --gate, "5" or "5%"
std::optional<double> read_gate(const Arguments& arguments) {
  auto text = arguments.value("gate");
  if (!text) return std::nullopt;
  if (text->ends_with("%")) text->pop_back();
  return read_number("--gate", *text, 0, 1e9);
}

/// @throws GateError if B takes too much longer than A
void pass_gate(const std::optional<double>& gate, const Difference& difference) {
  if (!gate || 100 * slowdown(difference) <= *gate) return;
  const double percent = 100 * slowdown(difference);
  const bool same = difference.a.prediction.form == difference.b.prediction.form;
  throw GateError(Diagnostic{"--gate",
                             std::isinf(percent)
                                 ? "A takes no time, but B does"
                                 : fmt::format("B takes {:.4g} % longer than A, more than {:g} %", percent, *gate),
                             "", same ? "" : "A and B are code of two forms: compare the same form (--form)"});
}

ExitStatus run_diff(const Arguments& arguments) {
  auto options = read_launch_options(arguments);
  options.range = read_range(arguments, true);
  const auto gate = read_gate(arguments);
  const DataFiles files(arguments.value("data"));
  const auto sides = read_sides(arguments, files);
  check_options(arguments, sides);
  const Output output(arguments.value("json").value_or(""));
  const auto pages = page_files(arguments);
  const auto found =
      difference(outcome_of(sides[0], arguments, files, options), outcome_of(sides[1], arguments, files, options));
  arguments.has("json") ? output.write(write_json(found)) : output.show(write_text(found));
  if (pages) pages->write(page_of(found));
  pass_gate(gate, found);
  return ExitStatus::Done;
}

constexpr std::string_view kDiffNotes = R"(
A and B are two kernels on a device, or one kernel on two devices, or results
that simulate --json saved (with --view stalls --view instructions, which tell
what accounts for the change), or one of each. Launch options are for both
kernels. FILE:ENTRY names an entry of code, so that two entries of one file
can be compared; --entry is for both.
)";

}  // namespace

Verb diff_verb() {
  return {"diff", "KERNEL [KERNEL] --device DEVICE [options]",
          "what changed from one run to another, and what accounts for it", run_diff, kDiffNotes};
}

}  // namespace warpipe::app
