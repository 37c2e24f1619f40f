#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <list>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "answers/sha256.hpp"
#include "cluster/on_ranks.hpp"
#include "command_line/options.hpp"
#include "command_line/output_files.hpp"
#include "terminal/flags.hpp"
#include "terminal/interruptible.hpp"
#include "terminal/messages.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/tuning_inputs.hpp"
#include "verbs/tuning_journal.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/tune/tuning_run.hpp"
#include "warpipe/views/tuning_view.hpp"

namespace warpipe::app {
namespace {

using Json = nlohmann::json;

// ---- the messages of ranks and the lines of journals

Json to_json(const TunedPoint& point) {
  Json json{
      point.block,     point.grid,          nullptr,    nullptr, nullptr, nullptr, point.limiter, point.resident_warps,
      point.registers, point.shared_memory, point.error};
  if (point.bound) json[2] = *point.bound;
  if (point.time) json[3] = *point.time;
  if (point.range) json[4] = point.range->low;
  if (point.range) json[5] = point.range->high;
  return json;
}

TunedPoint from_json(const Json& json) {
  const auto number = [&](std::size_t at) {
    return json[at].is_null() ? std::nullopt : std::optional(json[at].get<double>());
  };
  TunedPoint point;
  point.block = json[0];
  point.grid = json[1];
  point.bound = number(2);
  point.time = number(3);
  if (number(4) && number(5)) point.range = Interval{*number(4), *number(5)};
  point.limiter = json[6];
  point.resident_warps = json[7];
  point.registers = json[8];
  point.shared_memory = json[9];
  point.error = json[10];
  return point;
}

std::string to_line(const TunedItem& made) {
  Json points = Json::array();
  for (const auto& point : made.points) points.push_back(to_json(point));
  return Json{points, made.warnings}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

TunedItem from_line(const std::string& line) {
  const auto json = Json::parse(line);
  TunedItem made{{}, json[1].get<std::vector<std::string>>()};
  for (const auto& point : json[0]) made.points.push_back(from_json(point));
  return made;
}

/// The running compilers, which end with this program.
class Compilers {
 public:
  Guard guard() {
    return [this](std::function<void()> end) {
      const std::scoped_lock lock(mutex_);
      ends_.push_front(std::move(end));
      return std::shared_ptr<void>(nullptr, [this, place = ends_.begin()](void*) {
        const std::scoped_lock at_end(mutex_);
        ends_.erase(place);
      });
    };
  }
  /// A thread that starts or ends a compiler afterwards waits for the end of the program.
  void end_all() {
    mutex_.lock();
    for (const auto& end : ends_) end();
  }

 private:
  std::mutex mutex_;
  std::list<std::function<void()>> ends_;
};

double seconds_of_compilers() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// A run shared by ranks and kept in a journal.
class SharedRun {
 public:
  SharedRun(Ranks& ranks, const TuningRequest& request, Compilers& compilers)
      : ranks_(ranks), request_(request), compilers_(compilers), run_(*request.tuner, request.source, request.wish) {}

  /// As all ranks see it.
  Ranks::Study study() const {
    return {[this] { return request_.inputs; }, request_.threads,
            [this](std::uint64_t item) { return to_line(run_.make(unpack_tuning_item(item))); }};
  }

  /// At the lead.
  const Tuning& run(TuningJournal& journal) {
    journal_ = &journal;
    Interruptible interruptible([&] { say_interrupted(); });
    interruptible_ = &interruptible;
    const auto& tuning = run_.run([&](const TuningRun::Step& step, const TuningRun::Take& take) { act(step, take); });
    for (std::size_t i = 0; i < tuning.devices.size(); ++i)
      for (const auto& warning : run_.warnings()[i])
        warn(request_.voice, fmt::format("the first on {}: {}", tuning.devices[i].device, with_flags(warning)));
    say_costs();
    return tuning;
  }

 private:
  /// Has items made, except items with results from an earlier run, and takes the results in order.
  void act(const TuningRun::Step& step, const TuningRun::Take& take) {
    const bool is_of_ranges = step.what.starts_with("ranges");
    ProgressLine progress(
        request_.voice,
        shared_by(ranks_, {step.what, step.configurations, 0, {}, is_of_ranges ? "--range off" : "a smaller space"}));
    progress_ = &progress;
    std::size_t next = 0, done = 0;
    const auto take_next = [&](const std::string& line) {
      const auto made = from_line(line);
      take(next++, made);
      progress.show(done += made.points.size());
    };
    while (next < step.items.size()) {
      const auto kept = journal_->kept(pack(step.items[next]));
      if (!kept) break;
      take_next(*kept);
    }
    if (next < step.items.size())
      ranks_.for_each_in_order(
          study(), {next, step.items.size()}, [&](std::size_t place) { return pack(step.items[place]); },
          [&](const std::string& line) {
            interruptible_->whole([&] { journal_->add(pack(step.items[next]), line); });
            take_next(line);
          });
    progress_ = nullptr;
  }

  void say_costs() const {
    const auto cost = request_.tuner->cost();
    if (cost.bounded + cost.simulated == 0) return;
    const auto each = [](double seconds, std::size_t count) {
      return seconds / static_cast<double>(std::max<std::size_t>(count, 1));
    };
    note(request_.voice,
         fmt::format("CPU seconds: {:.1f} of compilers, {:.1f} to bound {} ({:.3f} each), {:.1f} of {} predictions "
                     "({:.3f} each)",
                     seconds_of_compilers(), cost.bounding, cost.bounded, each(cost.bounding, cost.bounded),
                     cost.simulating, cost.simulated, each(cost.simulating, cost.simulated)));
  }

  void say_interrupted() {
    if (progress_ != nullptr) progress_->end();
    compilers_.end_all();
    const auto& file = journal_->file();
    to_standard_error(fmt::format(
        "warpipe: interrupted; {}\n",
        file.empty()
            ? std::string("with --csv=FILE a run can be resumed")
            : fmt::format("what was found is in {}; the same command with --resume goes on from there", file)));
  }

  Ranks& ranks_;
  const TuningRequest& request_;
  Compilers& compilers_;
  TuningRun run_;
  TuningJournal* journal_ = nullptr;
  Interruptible* interruptible_ = nullptr;
  ProgressLine* progress_ = nullptr;  ///< the line now shown, if any
};

void check_tuning_options(const Arguments& arguments) {
  const auto csv = arguments.value("csv");
  if (csv && arguments.has("json") && is_standard_output(*csv) && is_standard_output(*arguments.value("json")))
    refuse("--json", "--csv is given too, and standard output has one form", "", "give one of them a file");
  if (arguments.has("resume") && (!csv || is_standard_output(*csv)))
    refuse("--resume", "there is no file of results to go on with", "", "give --csv=FILE");
}

/// The table, unless standard output has another form; files beside it.
void write_results(const Arguments& arguments, const Tuning& tuning, const std::optional<Output>& csv,
                   const std::optional<Output>& json, const std::optional<PageFiles>& pages) {
  if (csv) csv->write(write_csv(tuning));
  if (json) json->write(write_json(tuning));
  if (pages) pages->write(page_of(tuning));
  const auto is_taken = [&](const char* form) {
    return arguments.has(form) && is_standard_output(*arguments.value(form));
  };
  if (!is_taken("csv") && !is_taken("json")) Output().show(write_text(tuning));
}

std::optional<Output> output_of(const Arguments& arguments, const char* form) {
  const auto file = arguments.value(form);
  return file ? std::optional<Output>(std::in_place, *file) : std::nullopt;
}

ExitStatus run_tune(Ranks& ranks, const Arguments& arguments) {
  check_tuning_options(arguments);
  const auto pages = page_files(arguments);
  const auto csv = output_of(arguments, "csv"), json = output_of(arguments, "json");
  Compilers compilers;
  const auto request = read_tuning(ranks, arguments, compilers.guard());
  SharedRun run(ranks, request, compilers);
  if (!ranks.leads()) {
    ranks.work(run.study());
    return ExitStatus::Done;
  }
  const auto file = arguments.value("csv").value_or("");
  auto journal = is_standard_output(file)
                     ? TuningJournal()
                     : TuningJournal(file + ".part", "warpipe-tune " + sha256(request.inputs), arguments.has("resume"));
  const auto& tuning = run.run(journal);
  write_results(arguments, tuning, csv, json, pages);
  journal.remove();
  return ExitStatus::Done;
}

constexpr std::string_view kTuneNotes = R"(
JSON of --space, told apart by what it holds:
  a space of format "warpipe-space": tunables, restrictions, macros, block,
    grid, arguments
  a T1 input of Kernel Tuner
  a cache of Kernel Tuner, or what KTT writes: these two bring measured times
A tunable that the source has as a word becomes a macro; configurations that
differ in others share what is compiled. Formulas are those of Python, of
tunables and constants: ceil(n / (bx * tile)).
First every configuration is compiled and bounded, then those are simulated, the
lowest bounds first, that can still be among the K best: that changes none of
the K best.
)";

}  // namespace

Verb tune_verb() {
  return {"tune", "[SOURCE] --space JSON --device DEVICE [options]", "rank a space of configurations of a source",
          [](const Arguments& arguments) {
            return on_ranks(arguments, [&](Ranks& ranks) { return run_tune(ranks, arguments); });
          },
          kTuneNotes};
}

}  // namespace warpipe::app
