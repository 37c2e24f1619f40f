#include <fmt/format.h>

#include <map>
#include <optional>
#include <span>

#include "command_line/data_files.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/row_writer.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/accuracy/measured_row.hpp"
#include "warpipe/baselines/model_accuracy.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/accuracy_report_view.hpp"
#include "warpipe/views/accuracy_view.hpp"
#include "warpipe/views/model_accuracy_view.hpp"

namespace warpipe::app {
namespace {

/// The kernel or device of an option. A file is known by the name inside it.
template <class T>
struct Chosen {
  std::optional<std::string> name;
  std::map<std::string, T> from_file;  ///< by the name in lower case
};

template <class T>
Chosen<T> choose(const std::optional<std::string>& given, const std::function<T(const std::string&)>& read) {
  if (!given || !is_path(*given)) return {given, {}};
  auto value = read(*given);
  const auto name = value.name;
  return {name, {{lower_case(name), std::move(value)}}};
}

template <class T>
Lookup<T> lookup(const Chosen<T>& chosen, const std::function<T(const std::string&)>& read) {
  return [&chosen, read](const std::string& name) {
    const auto own = chosen.from_file.find(lower_case(name));
    return own == chosen.from_file.end() ? read(name) : own->second;
  };
}

constexpr std::int64_t kWorstRows = 5;  ///< shown by default

struct Validation {
  std::vector<Measurement> rows;
  Lookup<Kernel> kernels;
  Lookup<Device> devices;
  LaunchOptions options;
  std::size_t threads = 0;
  Voice voice = Voice::Normal;
  std::size_t worst = 0;       ///< number of worst rows to explain
  std::optional<double> gate;  ///< the largest mean |error| that passes; percent
};

/// @throws GateError with each kernel and device that is above the gate or has a row without a prediction
void pass_gate(const std::optional<double>& gate, const std::vector<ErrorSummary>& summaries) {
  if (!gate) return;
  Diagnostics problems;
  for (const auto& summary : summaries) {
    if (summary.failed == 0 && summary.mean_absolute_percent <= *gate) continue;
    const auto where = fmt::format("--gate: {} on {}", summary.kernel, summary.device);
    const auto problem = fmt::format("the mean |error| is {:.2f} %, {} of {} rows have no prediction",
                                     summary.mean_absolute_percent, summary.failed, summary.rows);
    problems.add({where, problem, fmt::format("at most {:g} % and a prediction for every row pass", *gate), ""});
  }
  if (!problems.empty()) throw GateError(problems.list());
}

/// What is to be simulated, for the progress line.
LongWork rows_to_do(const Validation& validation) {
  const auto instructions = [&validation](std::size_t index) {
    const auto& row = validation.rows[index];
    try {
      const auto kernel = validation.kernels(row.kernel);
      const auto device = validation.devices(row.device);
      return effort_of(kernel, device, options_of(row, kernel, device, validation.options)).run;
    } catch (const Error&) {
      return 0.0;  // its row will say why
    }
  };
  return {"rows", validation.rows.size(), 0, instructions, "fewer rows (--kernel, --device)"};
}

/// Writes the errors by kernel, for which all rows are needed.
void write_whole(const Validation& validation, const Output& output, bool as_json, const std::optional<Output>& html) {
  std::size_t done = 0;
  std::optional<ProgressLine> progress(std::in_place, validation.voice, rows_to_do(validation));
  Interruptible interruptible([&] {
    progress->end();
    fmt::print(stderr,
               "warpipe: interrupted after {} of {} rows, nothing is written; with --csv=FILE a run can be resumed\n",
               done, validation.rows.size());
  });
  const auto show = [&](std::size_t finished, std::size_t) {
    interruptible.whole([&] {
      done = finished;
      progress->show(finished);
    });
  };
  const auto accuracy =
      score(validation.rows, validation.kernels, validation.devices, validation.options, validation.threads, show);
  interruptible.whole([&] {
    const LongWork worst{"of the worst rows", validation.worst, 0, {}, "--worst 0"};
    progress.emplace(validation.voice, worst);
  });
  const AccuracyReport report{
      accuracy, trends(accuracy.rows),
      worst_rows(accuracy.rows, validation.kernels, validation.devices, validation.options, validation.worst,
                 validation.threads, [&](std::size_t mended, std::size_t) { progress->show(mended); })};
  interruptible.whole([&] { progress->end(); });
  output.write(as_json ? write_json(report) : write_text(report));
  if (html) html->write(write_html(report));
  pass_gate(validation.gate, accuracy.predicted);
}

void write_rows(const Validation& validation, const std::string& file, bool resume) {
  const std::span rows(validation.rows);
  const auto start = [&](std::size_t index) { return accuracy_row_start(rows[index]); };
  RowWriter writer(validation.voice, file, {"rows", RowForm::Csv, accuracy_header(), rows.size(), start, ""}, resume,
                   rows_to_do(validation));
  std::vector<Comparison> gated;
  const auto take = [&](const Comparison& row) {
    writer.take(accuracy_row(row));
    if (validation.gate) gated.push_back(row);
  };
  for_each_comparison(rows.subspan(writer.first()), validation.kernels, validation.devices, validation.options,
                      validation.threads, take);
  writer.finish();
  pass_gate(validation.gate, summarize(gated, &Comparison::predicted));
}

/// @return the percent of --gate MAPE=PERCENT
std::optional<double> read_gate(const Arguments& arguments) {
  const auto text = arguments.value("gate");
  if (!text) return std::nullopt;
  constexpr std::string_view kName = "MAPE=";
  if (!text->starts_with(kName)) {
    refuse("--gate", fmt::format("\"{}\" is not MAPE=PERCENT", *text), "", "write --gate MAPE=15");
  }
  return read_number("--gate MAPE", std::string_view(*text).substr(kName.size()), 0, 1e9);
}

void add_models_options(OptionTable& options) {
  options.add("models", "all", "score the models of the literature on the same rows");
  add_model_options(options);
}

bool asks_for_models(const Arguments& arguments) {
  if (!arguments.has("models")) return false;
  for (const char* other : {"resume", "gate"})
    if (arguments.has(other))
      refuse(std::string("--") + other, "the option cannot be given with --models", "", "leave one of them out");
  return true;
}

void validate_models(const Arguments& arguments, const std::vector<Measurement>& rows, const Lookup<Kernel>& kernels,
                     const Lookup<Device>& devices) {
  const Output output(arguments.value("csv").value_or(arguments.value("json").value_or("")));
  const auto accuracy =
      score_models(rows, kernels, devices, read_launch_options(arguments), read_model_options(arguments),
                   read_threads(arguments), progress_on_terminal(read_voice(arguments), "rows"));
  output.write(arguments.has("csv")    ? write_csv(accuracy)
               : arguments.has("json") ? write_json(accuracy)
                                       : write_text(accuracy));
}

/// @throws UsageError for options that exclude each other
void check_options(const Arguments& arguments) {
  arguments.no_positional();
  if (arguments.has("csv") && arguments.has("json"))
    refuse("--json", "--csv is given too, and the result has one form", "", "choose one of them");
  if (arguments.has("resume") && arguments.value("csv").value_or("").empty())
    refuse("--resume", "there is no file of rows to go on with", "", "give --csv=FILE");
  for (const char* other : {"csv", "models"})
    if (arguments.has("html") && arguments.has(other))
      refuse("--html", fmt::format("a page shows the errors of the simulation over all rows, and --{} is given", other),
             "", "run it twice");
  if (arguments.has("resume") && arguments.has("gate"))
    refuse("--gate", "a gate needs all rows, and --resume skips some", "", "leave one of them out");
}

ExitStatus run_validate(const Arguments& arguments) {
  check_options(arguments);
  const auto html = html_output(arguments);
  const auto measured = arguments.require("measured", "CSV");
  Validation validation;
  validation.options = read_launch_options(arguments);
  validation.threads = read_threads(arguments);
  validation.voice = read_voice(arguments);
  validation.worst = static_cast<std::size_t>(arguments.whole("worst", 0).value_or(kWorstRows));
  validation.gate = read_gate(arguments);
  const DataFiles files(arguments.value("data"));
  const std::function read_kernel = [&](const std::string& name) { return files.kernel(name); };
  const std::function read_device = [&](const std::string& name) { return files.device(name); };
  const auto kernel = choose<Kernel>(arguments.value("kernel"), read_kernel);
  const auto device = choose<Device>(arguments.value("device"), read_device);
  validation.kernels = lookup(kernel, read_kernel);
  validation.devices = lookup(device, read_device);
  const auto file = read_input(measured);
  validation.rows = read_measurements_csv(file.text, file.name, {kernel.name, device.name});
  if (asks_for_models(arguments)) {
    validate_models(arguments, validation.rows, validation.kernels, validation.devices);
    return ExitStatus::Done;
  }
  if (const auto csv = arguments.value("csv")) {
    write_rows(validation, *csv, arguments.has("resume"));
  } else {
    write_whole(validation, Output(arguments.value("json").value_or("")), arguments.has("json"), html);
  }
  return ExitStatus::Done;
}

}  // namespace

Verb validate_verb() {
  OptionTable options("Options");
  options.add("measured", "CSV", "measured times, bandwidths or rates; - is standard input")
      .add("device", "DEVICE", "only the rows of this device; takes the place of a missing column")
      .add("kernel", "KERNEL", "only the rows of this kernel; takes the place of a missing column")
      .add("json", "[=FILE]", "errors and rows as JSON, to standard output or FILE")
      .add("csv", "[=FILE]", "rows as CSV, to standard output or FILE")
      .add("html", "FILE", kHtmlHelp)
      .add("gate", "MAPE=PERCENT", "exit with status 5 if the mean |error| of a kernel and device is above")
      .add("worst", "N", "show N of the worst rows, with what would mend each; default: 5")
      .add("resume", "", "go on after the rows of --csv that an interrupted run has left");
  add_models_options(options);
  options.add(launch_option_table()).add(common_option_table());
  return {"validate", "--measured CSV [--device DEVICE] [--kernel KERNEL] [options]",
          "compare predictions with measurements", options, run_validate};
}

}  // namespace warpipe::app
