#include <fmt/format.h>

#include "command_line/imported_kernel.hpp"
#include "command_line/inputs.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "command_line/trace_options.hpp"
#include "terminal/flags.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/result_views.hpp"
#include "verbs/source_texts.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/predict/without_effect.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/sweep/assumption_times.hpp"
#include "warpipe/views/assumptions_view.hpp"

namespace warpipe::app {
namespace {

/// The views to print as text; the summary where neither views nor JSON are asked for.
std::vector<std::string> read_views(const Arguments& arguments) {
  if (!arguments.has("view") && !arguments.has("json")) return {"summary"};
  return arguments.values("view");
}

/// @throws UsageError for a window without a view or trace to show it
std::optional<Window> read_shown_window(const Arguments& arguments, const ResultViews& views) {
  auto window = read_window(arguments);
  if (window && !arguments.has("trace") && !views.show_a_window())
    refuse("--window", "neither a trace nor a timeline is asked for", "", "give --trace FILE or --view timeline too");
  return window;
}

/// The findings of an import for a reader of the result.
class ImportFindings {
 public:
  ImportFindings(const ReadKernel& read, const Device& device, const LaunchOptions& options, Seconds time,
                 const Arguments& arguments)
      : report_(read.report), time_(time) {
    if (!report_.assumptions.empty())
      assumptions_ =
          examine_assumptions(read.source->module, read.source->options, report_, device, options, time,
                              read_threads(arguments), progress_on_terminal(read_voice(arguments), "simulations"));
  }

  std::string text() const {
    auto text = left_out_text(report_);
    const auto assumed = write_text(assumptions_, time_, shown);
    return text + (text.empty() || assumed.empty() ? "" : "\n") + assumed;
  }

  /// The range of the time by guesses of trips and branches; nothing where there are none.
  std::optional<Interval> time_by_guesses() const { return warpipe::time_by_guesses(assumptions_, time_); }

  std::vector<ResultMember> members() const {
    std::vector<ResultMember> members;
    if (const auto between = time_by_guesses())
      members.emplace_back("time_by_guesses_s", fmt::format("[{}, {}]", between->low, between->high));
    if (!report_.left_out.empty()) members.emplace_back("left_out", left_out_json(report_));
    if (!assumptions_.empty()) members.emplace_back("assumptions", assumptions_json(assumptions_, time_, shown));
    return members;
  }

 private:
  static std::string shown(const std::string& text) { return with_flags(text); }

  const isa::ImportReport& report_;
  Seconds time_;
  std::vector<AssumptionTimes> assumptions_;
};

/// JSON to standard output holds the data of the views; else they are text there.
ExitStatus run_simulate(const Arguments& arguments) {
  ResultViews views(read_views(arguments));
  const auto json_file = arguments.value("json");
  const bool json_to_stdout = json_file && is_standard_output(*json_file);
  auto options = read_launch_options(arguments);
  options.range = read_range(arguments, true);
  options.tolerance = read_tolerance(arguments);
  const auto window = read_shown_window(arguments, views);
  const TraceRequest trace(arguments);
  const auto [read, device] = read_imported_inputs(arguments);
  for (const auto& note : read.report.notes) warn(read_voice(arguments), note);
  const Output json(json_file.value_or(""));
  const auto pages = page_files(arguments);
  views.simulate(read.kernel, device, options, window, pages.has_value(), json_file.has_value(), read_voice(arguments));
  Simulation& simulation = views.simulation();
  for (const auto& warning : simulation.prediction().warnings) warn(read_voice(arguments), warning);
  for (const auto& name : numbers_without_effect(simulation.launch(), read.kernel, device, options))
    warn(read_voice(arguments), fmt::format("--set {} has no effect in this launch", name));
  trace.write(simulation, read_voice(arguments));
  const ImportFindings findings(read, device, options, simulation.prediction().time, arguments);
  views.show_guesses(findings.time_by_guesses());
  std::vector<SourceText> sources;
  if (pages || views.show_source()) sources = source_texts(read.kernel, arguments.positional().front());
  views.show_sources(sources);
  if (json_file) json.write(views.json(findings.members()));
  if (!json_to_stdout) {
    const auto found = findings.text();
    Output().show(views.text() + (found.empty() ? "" : "\n") + found);
  }
  if (pages)
    pages->write(page_of(launch_report(simulation, read.kernel, device, read_threads(arguments),
                                       progress_on_terminal(read_voice(arguments), "simulations"), true, sources)));
  return ExitStatus::Done;
}

}  // namespace

Verb simulate_verb() {
  return {"simulate", "KERNEL --device DEVICE [options]", "simulate a kernel on a device: its time and what limits it",
          run_simulate};
}

}  // namespace warpipe::app
