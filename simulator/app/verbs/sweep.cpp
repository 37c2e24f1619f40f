#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cluster/on_ranks.hpp"
#include "command_line/compiler.hpp"
#include "command_line/inputs.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "command_line/ptx_kernel.hpp"
#include "terminal/flags.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/point_row.hpp"
#include "verbs/row_writer.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/kernels/write_kernel.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/sweep_view.hpp"

namespace warpipe::app {
namespace {

SweepKernel read_sweep_kernel(const Arguments& arguments, const DataFiles& files, const Device& device) {
  const auto file = read_program(files.kernel_path(arguments.only("KERNEL")), arguments, &device);
  check_ptx_options(arguments, file);
  if (!is_ptx(file)) return {read_kernel_json(file.text, file.name)};
  auto source = read_ptx_source(file, arguments, device.warp_size);
  return {std::move(source.module), std::move(source.options)};
}

/// Reads the variations of the import first: the names of the others are those of the imported kernel.
std::vector<Variation> read_variations(const Arguments& arguments, const SweepKernel& kernel, const Device& device) {
  const auto texts = arguments.values("vary");
  if (texts.empty()) refuse("--vary", "the option is missing", "", "give --vary NAME=VALUES");
  std::vector<std::optional<Variation>> read;
  std::vector<Variation> of_import;
  for (const auto& text : texts) {
    read.push_back(kernel.is_imported() ? parse_import_variation(text) : std::nullopt);
    if (read.back()) of_import.push_back(*read.back());
  }
  const auto first = kernel.first(of_import);
  require_ops(first->kernel, device);
  std::vector<Variation> variations;
  std::set<std::string> names;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    variations.push_back(read[i] ? *read[i] : parse_variation(texts[i], first->kernel, device));
    const auto& name = variations.back().name;
    if (!names.insert(name).second) refuse("--vary " + name, "the name is given twice");
  }
  return variations;
}

/// Warns if an argument varies and the grid does not: arguments often give the size of the data, which the grid covers.
void warn_of_fixed_grid(Voice voice, const std::vector<Variation>& variations) {
  using Kind = Variation::Kind;
  const auto varies = [&](Kind kind) { return std::ranges::find(variations, kind, &Variation::kind); };
  const auto argument = varies(Kind::Argument);
  if (argument == variations.end() || varies(Kind::Grid) != variations.end()) return;
  warn(voice, fmt::format("{} varies and the grid does not: if it is a size, vary the grid too", argument->name));
}

constexpr std::size_t kMostWarnings = 10;  ///< that are printed; many differ only in their numbers

/// The warnings and errors of a sweep.
class Remarks {
 public:
  explicit Remarks(Voice voice, std::size_t already_predicted = 0) : voice_(voice), predicted_(already_predicted) {}

  /// @param error  of a point; empty where there is a prediction
  void add(const std::string& error, const std::vector<std::string>& warnings) {
    if (!error.empty()) {
      error_ = error;
      return;
    }
    ++predicted_;
    for (const auto& warning : warnings) {
      if (std::ranges::find(warnings_, warning) != warnings_.end()) continue;
      if (warnings_.size() < kMostWarnings) {
        warnings_.push_back(warning);
      } else {
        ++further_;
      }
    }
  }

  /// Prints each warning once.
  /// @throws ModelError if no point has a prediction. If any point has one, the rows of the others say why they have
  ///                    none
  void say(std::size_t points) const {
    for (const auto& warning : warnings_) warn(voice_, warning);
    if (further_ > 0) warn(voice_, fmt::format("{} further warnings; simulate a point alone for its own", further_));
    if (points == 0 || predicted_ > 0) return;
    throw ModelError(Diagnostic{"--vary", fmt::format("none of the {} points can be simulated", points),
                                "the last one: " + error_, ""});
  }

 private:
  Voice voice_;
  std::size_t predicted_;
  std::string error_;
  std::vector<std::string> warnings_;
  std::size_t further_ = 0;
};

struct Sweep {
  SweepKernel kernel;
  Device device;
  LaunchOptions options;
  std::vector<Variation> variations;
  std::size_t points = 0;
  std::size_t threads = 0;
  Voice voice = Voice::Normal;
};

Sweep read_sweep(const Ranks& ranks, const Arguments& arguments) {
  arguments.only("KERNEL");
  const auto name = arguments.require("device", "DEVICE");
  const DataFiles files(arguments.value("data"));
  auto device = files.device(name);
  auto kernel = read_sweep_kernel(arguments, files, device);
  const auto variations = read_variations(arguments, kernel, device);
  const auto voice = voice_of(ranks, arguments);
  warn_of_fixed_grid(voice, variations);
  auto options = read_launch_options(arguments);
  options.range = read_range(arguments, false);
  return {std::move(kernel),
          std::move(device),
          std::move(options),
          variations,
          number_of_points(variations),
          read_threads(arguments),
          voice};
}

/// What is to be simulated, for the progress line. Importing PTX again would take as long as simulating it.
LongWork points_to_do(const Sweep& sweep) {
  LongWork work{"points", sweep.points, 0, {}, "fewer or smaller points"};
  if (sweep.kernel.is_imported()) return work;
  work.instructions = [&sweep](std::size_t index) {
    const auto values = values_of_point(index, sweep.variations);
    try {
      const auto own = sweep.kernel.at(sweep.variations, values);
      const auto options = options_at(sweep.options, sweep.variations, values, own->kernel, sweep.device);
      return effort_of(own->kernel, sweep.device, options).run;
    } catch (const Error&) {
      return 0.0;  // its row will say why
    }
  };
  return work;
}

/// Writes a table for people. The widths of its columns are known only when all points are.
void write_table(const Sweep& sweep, const std::optional<Output>& html) {
  SweepTable table{sweep.variations, {}};
  ProgressLine progress(sweep.voice, points_to_do(sweep));
  Remarks remarks(sweep.voice);
  const auto write_done = [&] {
    progress.end();
    Output().write(write_text(table));
  };
  Interruptible interruptible([&] {
    if (!table.points.empty()) write_done();
    fmt::print(stderr, "warpipe: interrupted after {} of {} points; with --csv=FILE a run can be resumed\n",
               table.points.size(), sweep.points);
  });
  const auto take = [&](SweepPoint point) {
    point.error = with_flags(point.error);
    remarks.add(point.error, point.prediction ? point.prediction->warnings : std::vector<std::string>());
    interruptible.whole([&] {
      table.points.push_back(std::move(point));
      progress.show(table.points.size());
    });
  };
  for_each_point(sweep.kernel, sweep.device, sweep.options, sweep.variations, 0, sweep.threads, take);
  interruptible.whole(write_done);
  if (html) html->write(write_html(table));
  remarks.say(sweep.points);
}

/// What depends on the inputs: another kernel, device or command has others.
std::string inputs_of(const Sweep& sweep, const SweepRows& rows) {
  std::string text = WARPIPE_VERSION + rows.header() + write_device_json(sweep.device);
  if (sweep.points == 0) return text;
  const auto last = values_of_point(sweep.points - 1, sweep.variations);
  return text + rows.row_start(last) + write_kernel_json(sweep.kernel.first(sweep.variations)->kernel);
}

void write_rows(Ranks& ranks, const Sweep& sweep, RowForm form, const std::string& file, bool resume) {
  const SweepRows rows(names_of(sweep.variations), form, sweep.options.range);
  const SweepStudy points(sweep.kernel, sweep.device, sweep.options, sweep.variations);
  const auto make = [&](std::size_t index) { return pack(row_of(points.at(index), rows)); };
  const Ranks::Study study{inputs_of(sweep, rows), sweep.threads, make};
  if (!ranks.leads()) return ranks.work(study);
  const auto start = [&](std::size_t index) { return rows.row_start(values_of_point(index, sweep.variations)); };
  RowWriter writer(sweep.voice, file, {"points", form, rows.header(), sweep.points, start, rows.end_of_predicted()},
                   resume, points_to_do(sweep));
  Remarks remarks(sweep.voice, writer.kept_predicted());
  const auto item = [](std::size_t index) { return index; };
  ranks.for_each_in_order(study, {writer.first(), points.size()}, item, [&](const std::string& made) {
    const auto point = unpack_point_row(made);
    remarks.add(point.error, point.warnings);
    writer.take(point.row);
  });
  writer.finish();
  remarks.say(sweep.points);
}

/// The name of the option that writes rows as they come; empty if there is none.
std::string file_form(const Arguments& arguments) {
  return arguments.has("csv") ? "csv" : arguments.has("jsonl") ? "jsonl" : "";
}

ExitStatus run_sweep(Ranks& ranks, const Arguments& arguments) {
  if (arguments.has("csv") && arguments.has("jsonl")) {
    refuse("--jsonl", "--csv is given too, and a sweep has one form", "", "choose one of them");
  }
  const auto resume = arguments.has("resume");
  const auto file = arguments.value("csv").value_or(arguments.value("jsonl").value_or(""));
  if (resume && file.empty()) refuse("--resume", "there is no file of rows to go on with", "", "give --csv=FILE");
  if (arguments.has("html") && !file_form(arguments).empty()) {
    refuse("--html", fmt::format("a page needs all points, and --{} writes them as they come", file_form(arguments)),
           "", "run it twice");
  }
  if (ranks.size() > 1 && file_form(arguments).empty())
    refuse("sweep", fmt::format("{} processes share the points, and a table is made by one", ranks.size()), "",
           "give --csv=FILE or --jsonl=FILE");
  const auto html = html_output(arguments);
  const auto sweep = read_sweep(ranks, arguments);
  if (html && sweep.points > kMostPagePoints) {
    refuse("--html", fmt::format("a page can show at most {} points", kMostPagePoints),
           fmt::format("found {}", sweep.points), "vary less, or write --csv=FILE");
  }
  if (arguments.has("csv")) {
    write_rows(ranks, sweep, RowForm::Csv, file, resume);
  } else if (arguments.has("jsonl")) {
    write_rows(ranks, sweep, RowForm::JsonLines, file, resume);
  } else {
    write_table(sweep, html);
  }
  return ExitStatus::Done;
}

constexpr std::string_view kSweepNotes = R"(
NAME of --vary:
  group_size, groups, concurrent_groups, occupancy (resident warps), a parameter,
  OP.issue, OP.completion, OP.PIPELINE and others as for --set, ID.conflict_degree, ID.transactions;
  of a PTX file also block, grid (X, XxY or XxYxZ) and arg.NAME: it is imported at each point,
  and the grid keeps the threads of --block and --grid unless it varies too
VALUES of --vary:
  1,2,4          these; 16x16,32x8 of block and grid
  MIN:MAX        all whole steps from MIN up to MAX
  MIN:MAX:STEP   MIN + i x STEP up to MAX
  MIN:MAX:xF     MIN times powers of F up to MAX
Rows are written as they come: an interrupt leaves those that are done, and --resume goes on after
them. A FILE that has rows already stays until all new rows are there; until then they are in
FILE.part.
)";

}  // namespace

Verb sweep_verb() {
  OptionTable options("Options");
  options.add("device", "DEVICE", "the device: a shipped name or a file")
      .add("vary", "NAME=VALUES...", "what varies; all combinations, the last varies fastest")
      .add("csv", "[=FILE]", "the points as CSV, to standard output or FILE")
      .add("jsonl", "[=FILE]", "the points as JSON, one per line, to standard output or FILE")
      .add("html", "FILE", kHtmlHelp)
      .add("resume", "", "go on after the rows that an interrupted run has left");
  add_range_option(options, "off");
  return {"sweep",
          "KERNEL --device DEVICE --vary NAME=VALUES... [options]",
          "predict a kernel for many launches or latencies",
          options.add(launch_option_table()).add(ptx_option_table()).add(common_option_table()),
          [](const Arguments& arguments) {
            return on_ranks(arguments, [&](Ranks& ranks) { return run_sweep(ranks, arguments); });
          },
          kSweepNotes};
}

}  // namespace warpipe::app
