#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cluster/on_ranks.hpp"
#include "command_line/imported_kernel.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/flags.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/messages.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/best_points.hpp"
#include "verbs/point_row.hpp"
#include "verbs/row_writer.hpp"
#include "verbs/sweep_inputs.hpp"
#include "verbs/sweep_measured.hpp"
#include "verbs/sweep_search.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/kernels/write_kernel.hpp"
#include "warpipe/parallel/loops.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/version.hpp"
#include "warpipe/views/sweep_view.hpp"

namespace warpipe::app {
namespace {

constexpr std::size_t kMostWarnings = 10;  ///< to print; many differ only in their numbers

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

  void add_doubts_of_best(std::vector<std::string> doubts) { doubts_of_best_ = std::move(doubts); }

  /// Prints each warning once.
  /// @throws ModelError if no point has a prediction. If any point has a prediction, the rows without give the reason
  void say(std::size_t points) const {
    for (const auto& warning : warnings_) warn(voice_, warning);
    for (const auto& doubt : doubts_of_best_) warn(voice_, "the best point: " + doubt);
    if (further_ > 0) warn(voice_, fmt::format("{} further warnings; simulate a point alone for its own", further_));
    if (points == 0 || predicted_ > 0) return;
    throw ModelError(Diagnostic{"--vary", fmt::format("none of the {} points can be simulated", points),
                                "the last one: " + error_, ""});
  }

 private:
  Voice voice_;
  std::size_t predicted_;
  std::string error_;
  std::vector<std::string> warnings_, doubts_of_best_;
  std::size_t further_ = 0;
};

/// The work to simulate, for the progress line. Importing code again would take as long as simulating it.
LongWork points_to_do(const Sweep& sweep, const SweepStudy& points, const ChosenPoints& chosen) {
  LongWork work{"points", chosen.size(), 0, {}, "fewer or smaller points", 1, without_a_period(sweep.options)};
  if (!sweep.models.has_imports())
    work.instructions = [&points, &chosen](std::size_t index) { return points.effort(chosen[index]); };
  return work;
}

/// A text of the inputs: another kernel, device or command has other values.
std::string inputs_of(const Sweep& sweep) {
  std::string text = WARPIPE_VERSION + sweep.texts;
  if (sweep.combinations == 0) return text;
  for (const auto& model : sweep.models.all()) text += write_device_json(*model.device);
  const SweepRows rows(names_of(sweep.variations), RowForm::Csv);
  text += rows.row_start(values_of_point(sweep.combinations - 1, sweep.variations));
  try {
    return text + write_kernel_json(sweep.models.all().front().kernel.first(sweep.variations)->kernel);
  } catch (const Error& error) {
    return text + error.what();  // further models may be imported
  }
}

/// A sweep as all ranks see it.
Ranks::Study study_of(const Sweep& sweep, const SweepStudy& points, const SweepRows& rows) {
  const auto make = [&points, &rows, &sweep](std::uint64_t packed) {
    const auto [combination, halvings] = unpack_sweep_item(packed);
    if (halvings > 0) return pack_cost(points.guessed_cost(combination, halvings));
    return pack(row_of(points.at(combination), rows, sweep.variations));
  };
  return {[&sweep] { return inputs_of(sweep); }, sweep.threads, make};
}

/// The destination of a sweep's table: as text, or as a JSON object.
struct TableOutput {
  bool json = false;
  Output output = Output();

  void write(const SweepTable& table) const { json ? output.write(write_json(table)) : output.show(write_text(table)); }
};

/// Writes the best points of a sweep, the best first.
void write_best(const Sweep& sweep, SweepTable best, const TableOutput& output) {
  if (!best.points.empty()) return output.write(best);
  warn(sweep.voice,
       "--top: no point can be compared with another: none can be simulated, or they do different work and the kernel "
       "states neither operations nor bytes");
}

void add_costs(const SweepTable& table, const Sweep& sweep, BestPoints& best) {
  for (std::size_t i = 0; i < table.points.size(); ++i) {
    const auto& point = table.points[i];
    if (!point.prediction) continue;
    best.add(cost_of(time_us(*point.prediction), point.prediction->launch, point.arrays, sweep.variations), i);
  }
}

/// Adds the doubts of the best point, which is the point to be used. Doubts take longer than a point.
void add_doubts(const SweepStudy& points, const ChosenPoints& chosen, const BestPoints& best, Remarks& remarks) {
  if (best.indices().empty()) return;
  remarks.add_doubts_of_best(points.doubts_at(chosen[best.indices().front()]));
}

SweepTable best_of(const SweepTable& table, const Sweep& sweep) {
  BestPoints best(*sweep.top);
  add_costs(table, sweep, best);
  SweepTable shown{table.variations, {}, true};
  for (const std::size_t index : best.indices()) shown.points.push_back(table.points[index]);
  return shown;
}

/// Writes a table for people. The widths of its columns are known only when all points are.
void write_table(const Sweep& sweep, const SweepStudy& points, const ChosenPoints& chosen,
                 const MeasuredPoints& measured, const TableOutput& output, const std::optional<PageFiles>& pages) {
  SweepTable table{sweep.variations, {}};
  ProgressLine progress(sweep.voice, points_to_do(sweep, points, chosen));
  Remarks remarks(sweep.voice);
  const auto write_done = [&] {
    progress.end();
    sweep.top ? write_best(sweep, best_of(table, sweep), output) : output.write(table);
  };
  Interruptible interruptible([&] {
    if (!table.points.empty()) write_done();
    to_standard_error(fmt::format("warpipe: interrupted after {} of {} points; with --csv=FILE a run can be resumed\n",
                                  table.points.size(), chosen.size()));
  });
  const auto make = [&](std::size_t index) { return points.at(chosen[index]); };
  const auto take = [&](SweepPoint point) {
    point.error = with_flags(point.error);
    point.measured = measured.at(point);
    remarks.add(point.error, point.prediction ? point.prediction->warnings : std::vector<std::string>());
    interruptible.whole([&] {
      table.points.push_back(std::move(point));
      progress.show(table.points.size());
    });
  };
  for_each_in_order(0, chosen.size(), sweep.threads, make, take);
  interruptible.whole(write_done);
  if (measured.are_given() && !has_measured(table)) warn(sweep.voice, "--measured: no row is of a point of this sweep");
  if (pages) pages->write(page_of(table));
  BestPoints best(1);
  add_costs(table, sweep, best);
  add_doubts(points, chosen, best, remarks);
  remarks.say(chosen.size());
}

/// The file and the form of rows.
struct RowFile {
  RowForm form;
  std::string file;
  bool resume;
};

/// Rows are not kept: the best points are predicted again for the table.
SweepTable predicted_again(const Sweep& sweep, const SweepStudy& points, const ChosenPoints& chosen,
                           const BestPoints& best) {
  SweepTable table{sweep.variations, {}, true};
  const auto indices = best.indices();
  for_each_in_order(
      0, indices.size(), sweep.threads, [&](std::size_t i) { return points.at(chosen[indices[i]]); },
      [&](SweepPoint point) { table.points.push_back(std::move(point)); });
  return table;
}

void write_rows(Ranks& ranks, const Sweep& sweep, const SweepStudy& points, const ChosenPoints& chosen,
                const Ranks::Study& study, const SweepRows& rows, const RowFile& to) {
  BestPoints best(sweep.top.value_or(1));
  ExpectedRows expected{
      "points",
      to.form,
      rows.header(),
      chosen.size(),
      [&](std::size_t index) { return rows.row_start(values_of_point(chosen[index], sweep.variations)); },
      rows.end_of_predicted()};
  expected.kept = [&](std::size_t index, const std::string& row) {
    if (const auto time = time_us_of_row(rows.header(), row, to.form))
      best.add(points.cost_of_time(chosen[index], *time), index);
  };
  RowWriter writer(sweep.voice, to.file, std::move(expected), to.resume,
                   shared_by(ranks, points_to_do(sweep, points, chosen)));
  Remarks remarks(sweep.voice, writer.kept_predicted());
  const auto item = [&](std::size_t index) { return pack(SweepItem{chosen[index], 0}); };
  const auto take = [&, index = writer.first()](const std::string& made) mutable {
    const auto point = unpack_point_row(made);
    remarks.add(point.error, point.warnings);
    best.add(point.cost, index++);
    writer.take(point.row);
  };
  ranks.for_each_in_order(study, {writer.first(), chosen.size()}, item, take);
  writer.finish();
  add_doubts(points, chosen, best, remarks);
  remarks.say(chosen.size());
  if (sweep.top) write_best(sweep, predicted_again(sweep, points, chosen, best), {});
}

/// The name of the option that writes rows as they come; empty if there is none.
std::string file_form(const Arguments& arguments) {
  return arguments.has("csv") ? "csv" : arguments.has("jsonl") ? "jsonl" : "";
}

RowFile read_row_file(const Arguments& arguments) {
  return {arguments.has("jsonl") ? RowForm::JsonLines : RowForm::Csv,
          arguments.value("csv").value_or(arguments.value("jsonl").value_or("")), arguments.has("resume")};
}

/// @throws UsageError for options that exclude each other
void check_options(const Ranks& ranks, const Arguments& arguments) {
  const auto form = file_form(arguments);
  const auto to = read_row_file(arguments);
  if (arguments.has("csv") && arguments.has("jsonl"))
    refuse("--jsonl", "--csv is given too, and a sweep has one form", "", "choose one of them");
  if (to.resume && to.file.empty()) refuse("--resume", "there is no file of rows to go on with", "", "give --csv=FILE");
  const auto page = page_option(arguments);
  if (!page.empty() && !form.empty())
    refuse(page, fmt::format("a page needs all points, and --{} writes them as they come", form), "", "run it twice");
  if (arguments.has("measured") && !form.empty())
    refuse("--measured", fmt::format("--{} writes what is predicted", form), "", "leave one of them out");
  if (arguments.has("json") && !form.empty())
    refuse("--json", fmt::format("an object needs all points, and --{} writes them as they come", form), "",
           "leave one of them out");
  for (const char* other : {"where", "search", "top"})
    if (!page.empty() && arguments.has(other))
      refuse(page, fmt::format("a page shows all combinations, and --{} leaves some out", other), "",
             "leave one of them out");
  if (arguments.has("top") && !form.empty() && is_standard_output(to.file))
    refuse("--top", "the rows go to standard output, where the best points would stand", "",
           fmt::format("give --{}=FILE", form));
  if (ranks.size() > 1 && form.empty())
    refuse("sweep", fmt::format("{} processes share the points, and a table is made by one", ranks.size()), "",
           "give --csv=FILE or --jsonl=FILE");
}

/// @throws UsageError for options that do not suit the files
void check_sweep(const Sweep& sweep, const Arguments& arguments) {
  const auto page = page_option(arguments);
  if (!page.empty() && sweep.combinations > kMostPagePoints)
    refuse(page, fmt::format("a page can show at most {} points", kMostPagePoints),
           fmt::format("found {}", sweep.combinations), "vary less, or write --csv=FILE");
}

ExitStatus run_sweep(Ranks& ranks, const Arguments& arguments) {
  check_options(ranks, arguments);
  const auto pages = page_files(arguments);
  const TableOutput output{arguments.has("json"), Output(arguments.value("json").value_or(""))};
  const auto to = read_row_file(arguments);
  const auto sweep = read_sweep(ranks, arguments);
  check_sweep(sweep, arguments);
  const SweepStudy points(sweep.models, sweep.options, sweep.variations);
  const SweepRows rows(names_of(sweep.variations), to.form, sweep.options.range);
  const auto study = study_of(sweep, points, rows);
  if (!ranks.leads()) {
    ranks.work(study);
    return ExitStatus::Done;
  }
  const MeasuredPoints measured(arguments, sweep);
  const bool writes_rows = !file_form(arguments).empty();
  if (writes_rows) const RowOutput probe(to.file, to.resume);  // reports errors before a long search
  const auto chosen = choose_points(ranks, sweep, points, study);
  writes_rows ? write_rows(ranks, sweep, points, chosen, study, rows, to)
              : write_table(sweep, points, chosen, measured, output, pages);
  return ExitStatus::Done;
}

constexpr std::string_view kSweepNotes = R"(
NAME of --vary:
  kernel and device in place of KERNEL and --device: names or files, FILE:ENTRY
  of code; policy; group_size, groups, concurrent_groups, occupancy (resident
  warps), a parameter; a number as for --set: OP.issue, memory/levels/l2/bytes,
  ID.conflict_degree; of a PTX file also block, grid (X, XxY or XxYxZ) and
  arg.NAME: it is imported at each point, and the grid keeps the threads
  of --block and --grid unless it varies too; of source also define.NAME, a
  macro: it is compiled for each value
VALUES of --vary:
  1,2,4          these; 16x16,32x8 of block and grid; names of kernels, devices
                 and policies
  MIN:MAX        all whole steps from MIN up to MAX
  MIN:MAX:STEP   MIN + i x STEP up to MAX
  MIN:MAX:xF     MIN times powers of F up to MAX
EXPRESSION of --where: numbers, the names that vary, + - * /, < <= > >= == !=,
  && ||, min max mod and others as in kernel files. block_x, block_y, ... are
  the sizes of a block; n stands for arg.n, and _ for what is no letter or digit
  in another name. device == 'h100' compares what has names.
--search halving simulates many points with a 32nd of their groups or more, the
  better half of them with twice as many, and so on: only the last ones are
  simulated whole, and have rows. Equal seeds draw equal points.
Rows are written as they come: an interrupt leaves those that are done, and
--resume goes on after them. A FILE that has rows already stays until all new
rows are there; until then they are in FILE.part.
)";

}  // namespace

Verb sweep_verb() {
  return {"sweep", "[KERNEL] [--device DEVICE] --vary NAME=VALUES... [options]",
          "predict a kernel for many launches or latencies",
          [](const Arguments& arguments) {
            return on_ranks(arguments, [&](Ranks& ranks) { return run_sweep(ranks, arguments); });
          },
          kSweepNotes};
}

}  // namespace warpipe::app
