#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <limits>
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
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "verbs/tuning_inputs.hpp"
#include "verbs/tuning_journal.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/tune/scores.hpp"
#include "warpipe/tune/tuner.hpp"
#include "warpipe/views/tuning_view.hpp"

namespace warpipe::app {
namespace {

using Json = nlohmann::json;

// ---- what ranks and journals are told: numbers and lines

/// What is made: the bounds of a part, or the prediction of a configuration on a device.
enum class Make { Bounds, Time, Range, RangeOfBest };

constexpr int kBitsOfIndex = 60;

std::uint64_t packed(Make make, std::size_t index) { return static_cast<std::uint64_t>(make) << kBitsOfIndex | index; }

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

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// The compilers that run, which end with this program.
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
  /// A thread that starts or ends one after that waits for the end of the program.
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

/// A tuning run: the bounds of all, then times in the order of the bounds, then ranges of the best.
class TuningRun {
 public:
  TuningRun(Ranks& ranks, const TuningRequest& request, Compilers& compilers)
      : ranks_(ranks), request_(request), tuner_(*request.tuner), compilers_(compilers), parts_(tuner_.parts()) {
    tuning_.source = request.source;
    tuning_.space = tuner_.space().file;
    tuning_.form = tuner_.space().form;
    tuning_.sources = tuner_.sources();
    tuning_.top = request.top;
    for (const auto& tunable : tuner_.space().tunables) tuning_.tunables.push_back(tunable.name);
    for (const auto& configuration : tuner_.configurations()) tuning_.values.push_back(cells_of(configuration));
    for (const auto& device : tuner_.devices())
      tuning_.devices.push_back(
          {device.name, device.title, std::vector<TunedPoint>(tuner_.configurations().size()), {}, {}});
  }

  /// As all ranks see it.
  Ranks::Study study() const {
    return {[this] { return request_.inputs; }, request_.threads, [this](std::uint64_t item) { return made(item); }};
  }

  /// At the lead.
  const Tuning& run(TuningJournal& journal) {
    journal_ = &journal;
    Interruptible interruptible([&] { say_interrupted(); });
    interruptible_ = &interruptible;
    find_bounds();
    for (std::size_t device = 0; device < tuning_.devices.size(); ++device) {
      find_times(device);
      if (request_.range) find_ranges(device);
      add_measured(device);
    }
    say_costs();
    return tuning_;
  }

 private:
  std::vector<Cell> cells_of(const Configuration& configuration) const {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < configuration.values.size(); ++i) {
      const auto& value = tuner_.space().tunables[i].values[configuration.values[i]].value;
      const auto* whole = std::get_if<std::int64_t>(&value);
      const auto* number = std::get_if<double>(&value);
      cells.push_back(whole != nullptr ? Cell(*whole)
                      : number != nullptr
                          ? Cell(*number)
                          : Cell(to_string(FormulaValue{tuner_.space().tunables[i].values[configuration.values[i]]})));
    }
    return cells;
  }

  Tuner::Item item_of(std::uint64_t index) const {
    return {index / tuning_.devices.size(), index % tuning_.devices.size()};
  }
  std::size_t index_of(std::size_t configuration, std::size_t device) const {
    return configuration * tuning_.devices.size() + device;
  }

  std::string made(std::uint64_t item) const {
    const auto make = static_cast<Make>(item >> kBitsOfIndex);
    const auto index = item & ((std::uint64_t{1} << kBitsOfIndex) - 1);
    Json json = Json::array();
    if (make == Make::Bounds) {
      for (const auto& each : parts_[index]) json.push_back(to_json(tuner_.bound(each)));
      return line_of(json);
    }
    std::vector<std::string> warnings;
    json.push_back(
        to_json(tuner_.simulate(item_of(index), make != Make::Time, make == Make::RangeOfBest ? &warnings : nullptr)));
    json.push_back(warnings);
    return line_of(json);
  }

  /// Has items made, but for those whose results an earlier run has left, and takes the results in order.
  void for_each(const std::vector<std::uint64_t>& items, const std::function<void(std::size_t, const Json&)>& take) {
    std::size_t first = 0;
    for (; first < items.size(); ++first) {
      const auto kept = journal_->kept(items[first]);
      if (!kept) break;
      take(first, Json::parse(*kept));
    }
    if (first == items.size()) return;
    ranks_.for_each_in_order(
        study(), {first, items.size()}, [&](std::size_t i) { return items[i]; },
        [&, next = first](const std::string& line) mutable {
          interruptible_->whole([&] { journal_->add(items[next], line); });
          take(next++, Json::parse(line));
        });
  }

  LongWork work_of(std::string noun, std::size_t count, std::string shorten) const {
    return shared_by(ranks_, {std::move(noun), count, 0, {}, std::move(shorten)});
  }

  TunedPoint& point_of(const Tuner::Item& item) { return tuning_.devices[item.device].points[item.configuration]; }

  void find_bounds() {
    std::vector<std::uint64_t> items;
    std::size_t count = 0, done = 0;
    for (const auto& part : parts_) {
      items.push_back(packed(Make::Bounds, items.size()));
      count += part.size();
    }
    ProgressLine progress(request_.voice, work_of("configurations bounded", count, "a smaller space"));
    progress_ = &progress;
    for_each(items, [&](std::size_t place, const Json& json) {
      for (std::size_t i = 0; i < parts_[place].size(); ++i) point_of(parts_[place][i]) = from_json(json[i]);
      progress.show(done += parts_[place].size());
    });
    progress_ = nullptr;
    for (std::size_t device = 0; device < tuning_.devices.size(); ++device)
      if (std::ranges::none_of(tuning_.devices[device].points,
                               [](const auto& point) { return point.bound.has_value(); }))
        explain({0, device});
  }

  /// @throws what is wrong with a configuration
  void explain(const Tuner::Item& first) {
    tuner_.explain(first);
    throw ModelError(Diagnostic{"--space", "no configuration runs on the device", point_of(first).error, ""});
  }

  /// Simulates in the order of the bounds, in parts, until no other can be among the best. How long the parts are
  /// depends on nothing but how many came before, so that which are simulated depends on no number of threads.
  void find_times(std::size_t device) {
    auto& found = tuning_.devices[device];
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < found.points.size(); ++i)
      if (found.points[i].bound) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return *found.points[i].bound; });
    constexpr std::size_t kLeast = 16;
    for (std::size_t done = 0; done < order.size();) {
      auto end = std::min(order.size(), done == 0 ? request_.top : done + std::max(kLeast, done / 4));
      if (request_.all) end = order.size();
      if (!request_.all) {
        while (end > done && *found.points[order[end - 1]].bound > worst_of_best(found)) --end;
        if (end == done) break;
      }
      simulate(device,
               {order.begin() + static_cast<std::ptrdiff_t>(done), order.begin() + static_cast<std::ptrdiff_t>(end)});
      done = end;
    }
  }

  /// The time of the last one that is shown; infinite before so many are known.
  double worst_of_best(const DeviceTuning& found) const {
    if (found.ranked.size() < request_.top) return std::numeric_limits<double>::infinity();
    return *found.points[found.ranked[request_.top - 1]].time;
  }

  void simulate(std::size_t device, const std::vector<std::size_t>& chosen) {
    auto& found = tuning_.devices[device];
    std::vector<std::uint64_t> items;
    for (const auto i : chosen) items.push_back(packed(Make::Time, index_of(i, device)));
    ProgressLine progress(request_.voice, work_of("configurations simulated", items.size(), "a smaller space"));
    progress_ = &progress;
    for_each(items, [&](std::size_t place, const Json& json) {
      take(from_json(json[0]), found.points[chosen[place]]);
      progress.show(place + 1);
    });
    progress_ = nullptr;
    for (const auto i : chosen)
      if (found.points[i].time) found.ranked.push_back(i);
    std::ranges::sort(found.ranked, {}, [&](std::size_t i) { return std::pair(*found.points[i].time, i); });
  }

  /// Its sizes are those of the bound.
  static void take(TunedPoint made, TunedPoint& point) {
    made.block = point.block;
    made.grid = point.grid;
    point = std::move(made);
  }

  void find_ranges(std::size_t device) {
    auto& found = tuning_.devices[device];
    std::vector<std::uint64_t> items;
    for (std::size_t place = 0; place < std::min(request_.top, found.ranked.size()); ++place)
      items.push_back(packed(place == 0 ? Make::RangeOfBest : Make::Range, index_of(found.ranked[place], device)));
    ProgressLine progress(request_.voice, work_of("ranges of the best", items.size(), "--range off"));
    progress_ = &progress;
    std::vector<std::string> warnings;
    for_each(items, [&](std::size_t place, const Json& json) {
      take(from_json(json[0]), found.points[found.ranked[place]]);
      if (place == 0) warnings = json[1].get<std::vector<std::string>>();
      progress.show(place + 1);
    });
    progress_ = nullptr;
    progress.end();
    for (const auto& warning : warnings)
      warn(request_.voice, fmt::format("the first on {}: {}", found.device, with_flags(warning)));
  }

  void add_measured(std::size_t device) {
    auto& found = tuning_.devices[device];
    const auto* times = times_on(tuner_.space(), found.device, found.title, tuning_.devices.size() == 1);
    if (times == nullptr) return;
    for (std::size_t i = 0; i < found.points.size(); ++i) {
      const auto time = times->by_values.find(tuner_.configurations()[i].values);
      if (time != times->by_values.end()) found.points[i].measured = time->second.seconds;
    }
    found.score = score_of(found);
  }

  void say_costs() const {
    const auto cost = tuner_.cost();
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
    fmt::print(stderr, "warpipe: interrupted; {}\n",
               file.empty()
                   ? std::string("with --csv=FILE a run can be resumed")
                   : fmt::format("what was found is in {}; the same command with --resume goes on from there", file));
  }

  Ranks& ranks_;
  const TuningRequest& request_;
  const Tuner& tuner_;
  Compilers& compilers_;
  std::vector<std::vector<Tuner::Item>> parts_;
  Tuning tuning_;
  TuningJournal* journal_ = nullptr;
  Interruptible* interruptible_ = nullptr;
  ProgressLine* progress_ = nullptr;  ///< the one that is shown, if any
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
                   const std::optional<Output>& json, const std::optional<Output>& html) {
  if (csv) csv->write(write_csv(tuning));
  if (json) json->write(write_json(tuning));
  if (html) html->write(write_html(tuning));
  const auto is_taken = [&](const char* form) {
    return arguments.has(form) && is_standard_output(*arguments.value(form));
  };
  if (!is_taken("csv") && !is_taken("json")) Output().write(write_text(tuning));
}

std::optional<Output> output_of(const Arguments& arguments, const char* form) {
  const auto file = arguments.value(form);
  return file ? std::optional<Output>(std::in_place, *file) : std::nullopt;
}

ExitStatus run_tune(Ranks& ranks, const Arguments& arguments) {
  check_tuning_options(arguments);
  const auto html = html_output(arguments);
  const auto csv = output_of(arguments, "csv"), json = output_of(arguments, "json");
  Compilers compilers;
  const auto request = read_tuning(ranks, arguments, compilers.guard());
  TuningRun run(ranks, request, compilers);
  if (!ranks.leads()) {
    ranks.work(run.study());
    return ExitStatus::Done;
  }
  const auto file = arguments.value("csv").value_or("");
  auto journal = is_standard_output(file)
                     ? TuningJournal()
                     : TuningJournal(file + ".part", "warpipe-tune " + sha256(request.inputs), arguments.has("resume"));
  const auto& tuning = run.run(journal);
  write_results(arguments, tuning, csv, json, html);
  journal.remove();
  return ExitStatus::Done;
}

constexpr std::string_view kTuneNotes = R"(
JSON of --space, told apart by what it holds:
  a space of format "warpipe-space": tunables, restrictions, macros, block, grid, arguments
  a T1 input of Kernel Tuner
  a cache of Kernel Tuner, or what KTT writes: these two bring measured times
A tunable that the source has as a word becomes a macro; configurations that differ in others share
what is compiled. Formulas are those of Python, of tunables and constants: ceil(n / (bx * tile)).
First every configuration is compiled and bounded, then those are simulated, the lowest bounds
first, that can still be among the K best: that changes none of the K best.
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
