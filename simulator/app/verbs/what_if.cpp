#include "warpipe/sweep/what_if.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "command_line/imported_kernel.hpp"
#include "command_line/inputs.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/flags.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/what_if_view.hpp"

namespace warpipe::app {
namespace {

const std::map<std::string, WhatIfPart>& parts() {
  static const std::map<std::string, WhatIfPart> all{
      {"changes", WhatIfPart::Changes}, {"ops", WhatIfPart::Ops}, {"instructions", WhatIfPart::Instructions}};
  return all;
}

WhatIfOptions read_what_if_options(const Arguments& arguments) {
  constexpr double kLargestStep = 99;
  WhatIfOptions asked;
  asked.ranges_of_changes = read_range(arguments, false);
  if (const auto step = arguments.value("step")) {
    asked.step = read_number("--step", *step, 0, kLargestStep) / 100;
    if (asked.step == 0) refuse("--step", "the value must be above 0", "found " + *step, "give 1 for one percent");
  }
  if (!arguments.has("part")) return asked;
  asked.parts.clear();
  for (const auto& name : arguments.values("part")) asked.parts.push_back(parts().at(name));
  return asked;
}

/// Shows the fields of the launch options that make up a change as flags.
WhatIf with_flags(WhatIf result) {
  for (auto& change : result.changes)
    for (auto& word : change.options) word = flag_of(word);
  return result;
}

/// Simulates the changes. An interrupt prints a table of the results so far.
WhatIf run_study(const Inputs& inputs, const LaunchOptions& options, const WhatIfOptions& asked,
                 const Arguments& arguments) {
  const auto voice = read_voice(arguments);
  LaunchOptions of_one = options;
  of_one.range = asked.ranges_of_changes;
  const auto instructions = [&, each = std::optional<double>()](std::size_t) mutable {
    if (!each) each = effort_of(inputs.kernel, inputs.device, of_one).run;  // a change makes little difference
    return *each;
  };
  std::optional<ProgressLine> progress(std::in_place, voice,
                                       simulation("simulating", inputs.kernel, inputs.device, options));
  WhatIfStudy study(inputs.kernel, inputs.device, options, asked);
  progress.emplace(voice, LongWork{"simulations", study.simulations(), 0, instructions,
                                   "--part changes, " + ways_to_shorten(options)});
  std::size_t done = 0;
  Interruptible interruptible([&] {
    progress->end();
    if (!arguments.has("json")) Output().write(write_text(with_flags(study.result())));
    fmt::print(stderr, "warpipe: interrupted after {} of {} simulations{}\n", done, study.simulations(),
               arguments.has("json") ? ", nothing is written" : "; what they found is ranked above");
  });
  study.run(read_threads(arguments), [&](std::size_t finished, std::size_t) {
    interruptible.whole([&] {
      done = finished;
      progress->show(finished);
    });
  });
  interruptible.whole([&] { progress->end(); });
  return with_flags(study.result());
}

ExitStatus run_what_if(const Arguments& arguments) {
  const auto asked = read_what_if_options(arguments);
  auto options = read_launch_options(arguments);
  options.range = read_range(arguments, true);
  const auto inputs = read_inputs(arguments);
  const Output output(arguments.value("json").value_or(""));
  const auto html = html_output(arguments);
  const auto result = run_study(inputs, options, asked, arguments);
  for (const auto& warning : result.base.warnings) warn(read_voice(arguments), warning);
  output.write(arguments.has("json") ? write_json(result) : write_text(result));
  if (html) html->write(write_html(result));
  return ExitStatus::Done;
}

constexpr std::string_view kWhatIfNotes = R"(
Each change and latency is simulated again. "saved" is a share of the run time; simulate with the
options of a change predicts the same cycles. The changes come first, then the ops, then the
instructions: an interrupt prints what has been found so far.
)";

}  // namespace

Verb what_if_verb() {
  OptionTable options("Options");
  options.add("device", "DEVICE", "the device: a shipped name or a file")
      .add("json", "[=FILE]", "the result as JSON, to standard output or FILE")
      .add("html", "FILE", kHtmlHelp)
      .add("part", "NAME*", "changes, ops or instructions; repeatable, default: all", names_of(parts()))
      .add("step", "PERCENT", "how far to move a latency to either side (default: 1)");
  add_range_option(options, "of the launch as it is, not of the changes");
  options.add(launch_option_table()).add(import_option_table()).add(common_option_table());
  return {"what-if",
          "KERNEL --device DEVICE [options]",
          "what would change the time: the best changes, the elasticity to every latency",
          options,
          run_what_if,
          kWhatIfNotes};
}

}  // namespace warpipe::app
