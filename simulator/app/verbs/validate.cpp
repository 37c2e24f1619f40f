#include <fmt/format.h>

#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <utility>

#include "cluster/on_ranks.hpp"
#include "command_line/data_files.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/messages.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/measured_input.hpp"
#include "verbs/row_writer.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/accuracy/measured_row.hpp"
#include "warpipe/baselines/model_accuracy.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/kernels/write_kernel.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/version.hpp"
#include "warpipe/views/accuracy_report_view.hpp"
#include "warpipe/views/accuracy_view.hpp"
#include "warpipe/views/model_accuracy_view.hpp"

namespace warpipe::app {
namespace {

constexpr std::int64_t kWorstRows = 5;  ///< shown by default

struct Validation {
  std::vector<Measurement> rows;
  std::vector<std::string> notes;  ///< of the measured file
  Lookup<Kernel> kernels;
  Lookup<Device> devices;
  LaunchOptions options;
  std::size_t threads = 0;
  Voice voice = Voice::Normal;
  std::size_t worst = 0;                            ///< number of worst rows to explain
  std::optional<double> gate;                       ///< the largest accepted mean |error|; percent
  std::optional<std::vector<std::string>> problem;  ///< of the ranking, if a ranking is asked for
};

/// The destinations of the errors over all rows.
struct Summary {
  std::optional<Output> output;  ///< nothing where the rows take standard output
  bool as_json = false;
  std::optional<PageFiles> pages;
};

/// @throws GateError with each kernel and device above the gate or with a row without a prediction
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

/// The work to simulate, for the progress line.
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
  return {"rows",
          validation.rows.size(),
          0,
          instructions,
          "fewer rows (--kernel, --device)",
          1,
          without_a_period(validation.options)};
}

/// Predicts all rows.
Accuracy predict_rows(const Validation& validation) {
  std::size_t done = 0;
  ProgressLine progress(validation.voice, rows_to_do(validation));
  Interruptible interruptible([&] {
    progress.end();
    to_standard_error(fmt::format(
        "warpipe: interrupted after {} of {} rows, nothing is written; with --csv=FILE a run can be resumed\n", done,
        validation.rows.size()));
  });
  const auto show = [&](std::size_t finished, std::size_t) {
    interruptible.whole([&] {
      done = finished;
      progress.show(finished);
    });
  };
  auto accuracy =
      score(validation.rows, validation.kernels, validation.devices, validation.options, validation.threads, show);
  interruptible.whole([&] { progress.end(); });
  return accuracy;
}

/// A kernel or device as its file; where there is none, why.
template <class T>
std::string text_of(const Lookup<T>& find, std::string (*write)(const T&), const std::string& name) {
  try {
    return write(find(name));
  } catch (const Error& error) {
    return error.what();
  }
}

/// The inputs of the rows.
std::string inputs_of(const Validation& validation) {
  std::string text = WARPIPE_VERSION;
  std::set<std::string> names;
  for (const auto& row : validation.rows) {
    text += accuracy_row_start(row);
    if (names.insert("kernel " + row.kernel).second) text += text_of(validation.kernels, write_kernel_json, row.kernel);
    if (names.insert("device " + row.device).second) text += text_of(validation.devices, write_device_json, row.device);
  }
  return text;
}

/// Predicts all rows and writes each as it comes.
/// @param keeps  whether the rows are needed afterwards
/// @return       all rows, including rows left by an earlier run
Accuracy write_rows(Ranks& ranks, const Ranks::Study& study, const Validation& validation, const std::string& file,
                    bool resume, bool keeps) {
  const std::span rows(validation.rows);
  std::vector<Comparison> all;
  const auto keep = [&](std::size_t index, const std::string& row) {
    if (keeps) all.push_back(read_accuracy_row(row, rows[index]));
  };
  const ExpectedRows expected{"rows",
                              RowForm::Csv,
                              accuracy_header(),
                              rows.size(),
                              [&](std::size_t index) { return accuracy_row_start(rows[index]); },
                              "",
                              keep};
  RowWriter writer(validation.voice, file, expected, resume, shared_by(ranks, rows_to_do(validation)));
  if (keeps) all.resize(writer.first());
  const auto take = [&, index = writer.first()](const std::string& row) mutable {
    writer.take(row);
    keep(index++, row);
  };
  const auto item = [](std::size_t index) { return index; };
  ranks.for_each_in_order(study, {writer.first(), rows.size()}, item, take);
  writer.finish();
  find_measured_times(all, validation.kernels, validation.devices, validation.options);
  return sum_up(std::move(all));
}

std::vector<WorstRow> explain_worst(const Validation& validation, const Accuracy& accuracy) {
  ProgressLine progress(validation.voice, {"of the worst rows", validation.worst, 0, {}, "--worst 0"});
  Interruptible interruptible([&] {
    progress.end();
    to_standard_error("warpipe: interrupted before the errors are written; --worst 0 is faster\n");
  });
  auto worst = worst_rows(accuracy.rows, validation.kernels, validation.devices, validation.options, validation.worst,
                          validation.threads, [&](std::size_t mended, std::size_t) { progress.show(mended); });
  interruptible.whole([&] { progress.end(); });
  return worst;
}

void write_summary(const Validation& validation, Accuracy accuracy, const Summary& summary) {
  auto ranked = validation.problem ? rankings(accuracy.rows, *validation.problem) : std::vector<Ranking>();
  auto worst = explain_worst(validation, accuracy);
  auto lines = trends(accuracy.rows);
  const AccuracyReport report{std::move(accuracy), std::move(lines), std::move(worst), std::move(ranked),
                              validation.notes};
  summary.as_json ? summary.output->write(write_json(report)) : summary.output->show(write_text(report));
  if (summary.pages) summary.pages->write(page_of(report));
}

/// Whether rows stand on standard output, where the errors would go.
bool rows_take_standard_output(const Arguments& arguments) {
  const auto csv = arguments.value("csv");
  return csv && is_standard_output(*csv);
}

/// @return nothing where the rows take standard output and no other place is given
Summary read_summary(const Arguments& arguments) {
  Summary summary{std::nullopt, arguments.has("json"), page_files(arguments)};
  const auto file = arguments.value("json").value_or("");
  if (!rows_take_standard_output(arguments) || !is_standard_output(file)) summary.output.emplace(file);
  return summary;
}

/// @return the parameters of --rank=PARAMETER,...; nothing without the option
std::optional<std::vector<std::string>> read_problem(const Arguments& arguments) {
  const auto text = arguments.value("rank");
  if (!text) return std::nullopt;
  std::vector<std::string> names;
  std::stringstream stream(*text);
  for (std::string name; std::getline(stream, name, ',');) names.push_back(name);
  return names;
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

bool asks_for_models(const Arguments& arguments) {
  if (!arguments.has("models")) return false;
  for (const char* other : {"resume", "gate", "rank"})
    if (arguments.has(other))
      refuse(std::string("--") + other, "the option cannot be given with --models", "", "leave one of them out");
  return true;
}

void validate_models(const Arguments& arguments, const Validation& validation, const Summary& summary) {
  std::optional<Output> rows;
  if (const auto csv = arguments.value("csv")) rows.emplace(*csv);
  const auto accuracy =
      score_models(validation.rows, validation.kernels, validation.devices, validation.options,
                   read_model_options(arguments), validation.threads, progress_on_terminal(validation.voice, "rows"));
  if (rows) rows->write(write_csv(accuracy));
  if (!summary.output) return;
  summary.as_json ? summary.output->write(write_json(accuracy)) : summary.output->show(write_text(accuracy));
}

/// @throws UsageError for options that exclude each other
void check_options(const Arguments& arguments) {
  arguments.no_positional();
  const auto json = arguments.value("json");
  if (rows_take_standard_output(arguments) && json && is_standard_output(*json))
    refuse("--json", "--csv is given too, and both go to standard output", "", "give one of them a file: --csv=FILE");
  if (arguments.has("resume") && arguments.value("csv").value_or("").empty())
    refuse("--resume", "there is no file of rows to go on with", "", "give --csv=FILE");
  if (arguments.has("rank") && rows_take_standard_output(arguments) && !json)
    refuse("--rank", "the ranking stands with the errors, and --csv writes the rows in their place", "",
           "give --csv=FILE");
  for (const char* other : {"csv", "models"})
    if (const auto page = page_option(arguments); !page.empty() && arguments.has(other))
      refuse(page, fmt::format("a page shows the errors of the simulation over all rows, and --{} is given", other), "",
             "run it twice");
}

/// Reads the options; the rows are not there yet.
Validation read_options(const Arguments& arguments) {
  Validation validation;
  validation.options = read_launch_options(arguments);
  validation.options.range = read_range(arguments, false);
  validation.threads = read_threads(arguments);
  validation.voice = read_voice(arguments);
  validation.worst = static_cast<std::size_t>(arguments.whole("worst", 0).value_or(kWorstRows));
  validation.gate = read_gate(arguments);
  validation.problem = read_problem(arguments);
  return validation;
}

void check_ranks(const Ranks& ranks, const Arguments& arguments) {
  if (ranks.size() == 1) return;
  if (!arguments.has("csv"))
    refuse("validate", fmt::format("{} processes share the rows, and without --csv one makes them all", ranks.size()),
           "", "give --csv=FILE");
  if (arguments.has("models"))
    refuse("--models", fmt::format("{} processes share the rows, and one scores the models", ranks.size()), "",
           "start it alone");
}

/// @return nothing at a rank that is not the lead
std::optional<Accuracy> compare(Ranks& ranks, const Validation& validation, const Arguments& arguments, bool keeps) {
  const auto csv = arguments.value("csv");
  if (!csv) return predict_rows(validation);
  const ComparisonStudy rows(validation.rows, validation.kernels, validation.devices, validation.options);
  const Ranks::Study study{[&validation] { return inputs_of(validation); }, validation.threads,
                           [&](std::uint64_t index) { return accuracy_row(rows.at(index)); }};
  if (ranks.leads()) return write_rows(ranks, study, validation, *csv, arguments.has("resume"), keeps);
  ranks.work(study);
  return std::nullopt;
}

ExitStatus run_validate(Ranks& ranks, const Arguments& arguments) {
  check_options(arguments);
  check_ranks(ranks, arguments);
  const bool asks_models = asks_for_models(arguments);
  const auto summary = read_summary(arguments);
  auto validation = read_options(arguments);
  validation.voice = voice_of(ranks, arguments);
  const DataFiles files(arguments.value("data"));
  const MeasuredInput input(arguments, files);
  validation.rows = input.file().rows;
  validation.notes = input.file().notes;
  validation.kernels = input.kernels();
  validation.devices = input.devices();
  if (!summary.output || asks_models)
    for (const auto& sentence : validation.notes) note(validation.voice, sentence);
  if (asks_models) {
    validate_models(arguments, validation, summary);
    return ExitStatus::Done;
  }
  auto accuracy = compare(ranks, validation, arguments, summary.output || validation.gate);
  if (!accuracy) return ExitStatus::Done;
  const auto errors = accuracy->predicted;
  if (summary.output) write_summary(validation, std::move(*accuracy), summary);
  pass_gate(validation.gate, errors);
  return ExitStatus::Done;
}

}  // namespace

Verb validate_verb() {
  return {"validate", "--measured CSV [--device DEVICE] [--kernel KERNEL] [options]",
          "compare predictions with measurements",
          [](const Arguments& arguments) {
            return on_ranks(arguments, [&](Ranks& ranks) { return run_validate(ranks, arguments); });
          },
          measured_notes()};
}

}  // namespace warpipe::app
