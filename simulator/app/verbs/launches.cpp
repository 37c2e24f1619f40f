#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "command_line/code_form.hpp"
#include "command_line/compiler.hpp"
#include "command_line/imported_kernel.hpp"
#include "command_line/launch_file.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/flags.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/latency_tables/compile_target.hpp"
#include "warpipe/parallel/loops.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/launches_view.hpp"

namespace warpipe::app {
namespace {

/// The launches of a program, ready to be imported and predicted. Equal lines are a single launch, except for the
/// number of its runs.
struct ProgramRun {
  struct Code {
    TextFile file;
    code::Module module;
  };
  struct Import {
    const Code* code = nullptr;
    isa::ImportOptions options;
  };
  Device device;
  LaunchOptions options;
  std::map<std::string, Code> codes;  ///< by the file named in a line; by "" the code of all lines
  std::vector<FileLaunch> lines;
  std::vector<std::size_t> launch_of_line{};  ///< index into `imports`
  std::vector<Import> imports{};              ///< for each launch
};

/// A field of a launch is a key of the file, not an option.
std::string without_quotes(std::string text) {
  std::erase(text, '`');
  return text;
}

void add_in_line(const FileLaunch& line, const std::vector<Diagnostic>& diagnostics, Diagnostics& problems) {
  for (const auto& one : diagnostics)
    problems.add({fmt::format("{}: {}", line.where, without_quotes(one.where)), without_quotes(one.problem),
                  without_quotes(one.found), without_quotes(one.advice)});
}

/// Finds the entry of each launch, and the values that follow from it.
/// @throws InputError with the problems of all lines
void find_imports(const Arguments& arguments, ProgramRun& run) {
  Diagnostics problems;
  std::map<std::pair<std::string, GivenLaunch>, std::size_t> launches;
  for (const auto& line : run.lines) {
    const auto named = run.codes.contains("") ? "" : line.file;
    const auto [known, is_new] = launches.try_emplace({named, line.given}, run.imports.size());
    try {
      if (is_new) {
        const auto& code = run.codes.at(named);
        auto options = import_options(line.given, code.file, code.module, arguments, target_of(run.device, arguments));
        if (!options.launch.assume && !options.assumed.empty()) throw isa::questions_of(options.assumed);
        run.imports.push_back({&code, std::move(options)});
      }
      run.launch_of_line.push_back(known->second);
    } catch (const Error& error) {
      launches.erase(known);  // the next line like it says its own place
      add_in_line(line, error.diagnostics(), problems);
    }
  }
  problems.throw_if_any();
}

ProgramRun::Code read_code_at(const std::string& path, const GivenLaunch& labels, const Arguments& arguments,
                              const Device& device) {
  auto file = read_program(path, arguments, &device);
  check_import_options(arguments, file);
  if (!is_code(file))
    refuse(path, "a launch file is for PTX, machine code or source, and this is none of them", "",
           "give a kernel file to simulate or sweep");
  auto module = read_module(file, labels, arguments, compile_target(device));
  return {std::move(file), std::move(module)};
}

/// The code of all lines, or the files that lines name, beside the launch file.
std::map<std::string, ProgramRun::Code> read_codes(const std::string& kernel, const std::string& launch_file,
                                                   const std::vector<FileLaunch>& lines, const GivenLaunch& labels,
                                                   const Arguments& arguments, const Device& device) {
  std::map<std::string, ProgramRun::Code> codes;
  if (!kernel.empty()) {
    codes.emplace("", read_code_at(kernel, labels, arguments, device));
    return codes;
  }
  const auto folder = std::filesystem::path(launch_file).parent_path();
  for (const auto& line : lines) {
    if (line.file.empty())
      throw InputError(Diagnostic{line.where, "it names no `file` of its kernel, and no KERNEL is given", "",
                                  "give KERNEL before the launch file"});
    if (!codes.contains(line.file))
      codes.emplace(line.file, read_code_at((folder / line.file).string(), labels, arguments, device));
  }
  return codes;
}

ProgramRun read_run(const Arguments& arguments) {
  auto names = arguments.positional();
  if (names.empty()) refuse("KERNEL", "this argument is missing", "", "give PTX or CUDA source, and a launch file");
  if (names.size() < 2 && !names.front().ends_with(".jsonl"))
    refuse("LAUNCHES.jsonl", "this argument is missing", "", "give a launch file behind KERNEL");
  if (names.size() < 2) names.insert(names.begin(), "");
  if (names.size() > 2)
    refuse("\"" + names[2] + "\"", "one argument too many: KERNEL and the launch file are given already", "",
           arguments.advice_for(names[2]));
  const DataFiles files(arguments.value("data"));
  auto device = files.device(arguments.require("device", "DEVICE"));
  const auto launch_file = read_input(names[1]);
  auto labels = read_given_launch(arguments);
  auto lines = read_launch_file(launch_file, labels);
  for (const auto& line : lines) {
    labels.trips.insert(line.given.trips.begin(), line.given.trips.end());
    labels.taken.insert(line.given.taken.begin(), line.given.taken.end());
  }
  const auto kernel = names[0].empty() ? "" : files.kernel_path(names[0]);
  auto codes = read_codes(kernel, names[1], lines, labels, arguments, device);
  ProgramRun run{std::move(device), read_launch_options(arguments), std::move(codes), std::move(lines)};
  run.options.kernel_launch_is_given = true;
  run.options.range = read_range(arguments, true);
  run.options.tolerance = read_tolerance(arguments);
  find_imports(arguments, run);
  return run;
}

/// A predicted launch, with its notes and its error.
struct Predicted {
  std::optional<Prediction> prediction;
  std::vector<std::string> notes;
  std::string error;
  std::vector<Diagnostic> problems;
};

Predicted predicted(const ProgramRun& run, std::size_t launch) {
  Predicted made;
  try {
    auto imported = run.imports[launch].code->module.import(run.imports[launch].options);
    made.notes = std::move(imported.report.notes);
    for (const auto& one : imported.report.assumptions) made.notes.push_back("assumed: " + shown(one));
    made.prediction = predict(lower_launch(imported.kernel, run.device, run.options));
    const auto& warnings = made.prediction->warnings;
    made.notes.insert(made.notes.end(), warnings.begin(), warnings.end());
  } catch (const Error& error) {
    made.problems = error.diagnostics();
    made.error = without_quotes(error.what());
  }
  return made;
}

/// Predicts each launch once, however many lines say it.
std::vector<Predicted> predict_launches(const ProgramRun& run, std::size_t threads, Voice voice) {
  std::vector<Predicted> launches(run.imports.size());
  ProgressLine progress(voice, LongWork{.noun = "launches", .count = launches.size()});
  for_each_index(
      launches.size(), threads, [&](std::size_t index) { launches[index] = predicted(run, index); },
      [&](std::size_t done, std::size_t) { progress.show(done); });
  return launches;
}

std::string sizes_text(const isa::Dimensions& sizes) {
  if (sizes[2] > 1) return fmt::format("{}x{}x{}", sizes[0], sizes[1], sizes[2]);
  return sizes[1] > 1 ? fmt::format("{}x{}", sizes[0], sizes[1]) : fmt::format("{}", sizes[0]);
}

ProgramTimes::Launch timed(const FileLaunch& line, const isa::ImportOptions& options, const Predicted& made) {
  return {line.line,
          isa::demangled(options.entry),
          sizes_text(options.launch.block),
          sizes_text(options.launch.grid),
          line.times,
          made.prediction,
          made.error};
}

/// Prints each note once, with its lines.
class Notes {
 public:
  void add(const FileLaunch& line, const std::vector<std::string>& notes) {
    for (const auto& one : notes) {
      auto& lines = lines_[without_quotes(one)];
      if (lines.empty() || lines.back() != line.line) lines.push_back(line.line);
    }
  }

  void say(Voice voice) const {
    constexpr std::size_t kMostLines = 5;
    for (const auto& [text, lines] : lines_) {
      const std::vector first(lines.begin(),
                              lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), kMostLines)));
      const auto more = lines.size() > kMostLines ? fmt::format(" and {} more", lines.size() - kMostLines) : "";
      warn(voice, fmt::format("line {}{}: {}", fmt::join(first, ", "), more, text));
    }
  }

 private:
  std::map<std::string, std::vector<std::size_t>> lines_;
};

void write(const Output& output, const Arguments& arguments, const ProgramTimes& program) {
  if (arguments.has("csv")) return output.write(write_csv(program));
  arguments.has("json") ? output.write(write_json(program)) : output.show(write_text(program));
}

ExitStatus run_launches(const Arguments& arguments) {
  if (arguments.has("csv") && arguments.has("json"))
    refuse("--json", "--csv is given too, and the result has one form", "", "choose one of them");
  const Output output(arguments.value("csv").value_or(arguments.value("json").value_or("")));
  const auto pages = page_files(arguments);
  const auto voice = read_voice(arguments);
  const auto run = read_run(arguments);
  const auto launches = predict_launches(run, read_threads(arguments), voice);
  ProgramTimes program{run.device, {}};
  Notes notes;
  Diagnostics problems;
  for (std::size_t i = 0; i < run.lines.size(); ++i) {
    const auto launch = run.launch_of_line[i];
    notes.add(run.lines[i], launches[launch].notes);
    add_in_line(run.lines[i], launches[launch].problems, problems);
    program.launches.push_back(timed(run.lines[i], run.imports[launch].options, launches[launch]));
  }
  notes.say(voice);
  write(output, arguments, program);
  if (pages) pages->write(page_of(report_of(program)));
  if (!problems.empty()) throw ModelError(problems.list());
  return ExitStatus::Done;
}

constexpr std::string_view kLaunchesNotes = R"(
A launch file has a JSON object per line, such as
  {"entry": "f", "block": 64, "grid": [4096], "arguments": {"n": 9}, "times": 2}
also with arrays, trips, taken, addresses and dynamic_shared_memory, as the
options of these names. Without KERNEL, each line names the `file` of its own,
as those that `warpipe record` writes do. What a line does not say is as the
command line says. The launches run one after the other.
)";

}  // namespace

Verb launches_verb() {
  return {"launches", "[KERNEL] LAUNCHES.jsonl --device DEVICE [options]",
          "predict several launches of a program, and their sum", run_launches, kLaunchesNotes};
}

}  // namespace warpipe::app
