#include "html_output.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "ptx_kernel.hpp"
#include "verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/summary_view.hpp"

namespace warpipe::app {
namespace {

std::vector<SummaryPart> read_views(const Arguments& arguments) {
  std::vector<SummaryPart> views;
  for (const auto& name : arguments.values("view")) {
    const auto view = parse_summary_part(name);
    if (!view) {
      refuse("--view", "there is no such view", "found \"" + name + "\"", suggest(name, summary_part_names()));
    }
    views.push_back(*view);
  }
  return views;
}

/// Text goes to standard output where it is asked for, or nothing else is.
ExitStatus run(const Arguments& arguments) {
  auto views = read_views(arguments);
  const auto json_file = arguments.value("json");
  const bool json_to_stdout = json_file && (json_file->empty() || *json_file == "-");
  if (json_to_stdout && !views.empty()) {
    refuse("--json", "JSON and a view cannot share standard output", "", "write --json=FILE");
  }
  if (!json_file && views.empty()) views.push_back(SummaryPart::Summary);

  const auto options = read_launch_options(arguments);
  const auto inputs = read_inputs(arguments);
  const Output json(json_file.value_or(""));
  const auto html = html_output(arguments);
  const auto prediction = predict(inputs.kernel, inputs.device, options);
  for (const auto& warning : prediction.warnings) warn(read_voice(arguments), warning);
  if (json_file) json.write(write_json(prediction));
  std::string text;
  for (const auto view : views) text += (text.empty() ? "" : "\n") + write_text(prediction, view);
  Output().write(text);
  if (html) {
    html->write(write_html(launch_report(inputs.kernel, inputs.device, options, read_threads(arguments),
                                         progress_on_terminal(read_voice(arguments), "simulations"))));
  }
  return ExitStatus::Done;
}

}  // namespace

Verb simulate_verb() {
  OptionTable options("Options");
  options.add("device", "DEVICE", "the device: a shipped name or a file")
      .add("json", "[=FILE]", "the result as JSON, to standard output or FILE")
      .add("html", "FILE", kHtmlHelp)
      .add("view", "NAME*", "summary, launch, pipelines, bounds, latencies or all; repeatable", summary_part_names())
      .add(launch_option_table())
      .add(ptx_option_table())
      .add(common_option_table());
  return {"simulate", "KERNEL --device DEVICE [options]", "play a kernel on a device: its time and what limits it",
          options, run};
}

}  // namespace warpipe::app
