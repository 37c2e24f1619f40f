#include "warpipe/baselines/compare.hpp"

#include "command_line/imported_kernel.hpp"
#include "command_line/inputs.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/baselines/model_accuracy.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/comparison_view.hpp"
#include "warpipe/views/model_accuracy_view.hpp"

namespace warpipe::app {
namespace {

/// The options of the verb, without its files.
struct Asked {
  LaunchOptions options;
  ModelInputs models;
  std::size_t threads = 0;
  Voice voice = Voice::Normal;
};

LaunchComparison over_occupancy(const Inputs& inputs, const Asked& asked) {
  return compare_models(inputs.kernel, inputs.device, asked.options, asked.models, asked.threads,
                        progress_on_terminal(asked.voice, "occupancies"));
}

ModelAccuracy against(const std::string& measured, const Inputs& inputs, const Asked& asked) {
  const auto file = read_input(measured);
  const auto rows = read_measurements_csv(file.text, file.name, {inputs.kernel.name, inputs.device.name});
  const Lookup<Kernel> kernel = [&](const std::string&) { return inputs.kernel; };
  const Lookup<Device> device = [&](const std::string&) { return inputs.device; };
  return score_models(rows, kernel, device, asked.options, asked.models, asked.threads,
                      progress_on_terminal(asked.voice, "rows"));
}

/// Writes the result in the requested form.
template <class Result>
void write_form(const Output& output, const Arguments& arguments, const Result& result) {
  if (arguments.has("csv")) return output.write(write_csv(result));
  arguments.has("json") ? output.write(write_json(result)) : output.show(write_text(result));
}

ExitStatus run_compare(const Arguments& arguments) {
  if (arguments.has("csv") && arguments.has("json")) {
    refuse("--json", "--csv is given too, and the result has one form", "", "choose one of them");
  }
  Asked asked{read_launch_options(arguments), read_model_options(arguments), read_threads(arguments),
              read_voice(arguments)};
  asked.options.range = read_range(arguments, arguments.has("concurrent-groups") || arguments.has("occupancy"));
  const auto inputs = read_inputs(arguments);
  const Output output(arguments.value("csv").value_or(arguments.value("json").value_or("")));
  const auto pages = page_files(arguments);
  const auto measured = arguments.value("measured");
  if (!measured || pages) {
    const auto comparison = over_occupancy(inputs, asked);
    if (pages) pages->write(page_of(comparison));
    if (!measured) write_form(output, arguments, comparison);
  }
  if (!measured) return ExitStatus::Done;
  const auto accuracy = against(*measured, inputs, asked);
  if (arguments.has("csv") || arguments.has("json")) {
    write_form(output, arguments, accuracy);
  } else {
    output.show(write_text(over_occupancy(inputs, asked)) + "\n" + write_row_text(accuracy) + "\n" +
                write_text(accuracy));
  }
  return ExitStatus::Done;
}

constexpr std::string_view kCompareNotes = R"(
The models: roofline, occupancy-roofline, littles-law, volkov, hong-kim
(MWP-CWP), gpuperf (Sim et al.), zhang-owens (min form), gpumech (intervals),
gcom (intervals, memory of MDM).
--json and --csv hold the occupancies, or with --measured the measured rows.
)";

}  // namespace

Verb compare_verb() {
  return {"compare", "KERNEL --device DEVICE [--measured CSV] [options]",
          "the models of the literature beside the simulation, over occupancy", run_compare, kCompareNotes};
}

}  // namespace warpipe::app
