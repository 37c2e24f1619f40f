#include "verbs/run_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "verbs/run_trace.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/views/records.hpp"

namespace warpipe::app {
namespace {

/// The sum over all launches of a kernel.
struct KernelSum {
  std::string kernel;
  std::int64_t launches = 0, predicted = 0, by_work = 0, failed = 0, executed = 0, assumptions = 0, recorded = 0;
  double time = 0, least = 0, most = 0, host_seconds = 0;
  std::int64_t lane_instructions = 0;
  std::string limiter, first_assumption, problem, execution_problem;
  std::map<std::string, double> limiters;  ///< seconds
};

struct CopySum {
  std::string what;
  std::int64_t calls = 0, bytes = 0;
  double time = 0;
};

struct Sums {
  std::int64_t launches = 0, failed = 0;
  std::vector<KernelSum> kernels;  ///< longest times first
  std::vector<CopySum> copies;
  double kernel_time = 0, copy_time = 0, end = 0;
};

void add(const programs::RunEvents::Launch& launch, KernelSum& sum) {
  ++sum.launches;
  sum.executed += launch.is_executed ? 1 : 0;
  sum.host_seconds += launch.host_seconds;
  sum.lane_instructions += launch.lane_instructions;
  if (sum.execution_problem.empty()) sum.execution_problem = launch.execution_problem;
  if (!launch.time) {
    ++sum.failed;
    sum.problem = launch.problem;
    return;
  }
  sum.predicted += launch.time_from == "prediction" ? 1 : 0;
  sum.recorded += launch.time_from == "prediction" && launch.recorded_groups > 0 ? 1 : 0;
  sum.by_work += launch.time_from == "other launches" ? 1 : 0;
  if (launch.assumptions > sum.assumptions) sum.first_assumption = launch.first_assumption;
  sum.assumptions = std::max(sum.assumptions, launch.assumptions);
  sum.least = sum.time == 0 ? *launch.time : std::min(sum.least, *launch.time);
  sum.most = std::max(sum.most, *launch.time);
  sum.time += *launch.time;
  sum.limiters[launch.limiter] += *launch.time;
}

Sums sums_of(const programs::RunEvents& events) {
  Sums sums;
  std::map<std::string, KernelSum> kernels;
  for (const auto& launch : events.launches) {
    add(launch, kernels[launch.kernel]);
    sums.end = std::max(sums.end, launch.end);
  }
  for (auto& [name, sum] : kernels) {
    sum.kernel = name;
    for (const auto& [limiter, time] : sum.limiters)
      if (sum.limiter.empty() || time > sum.limiters[sum.limiter]) sum.limiter = limiter;
    sums.kernel_time += sum.time;
    sums.launches += sum.launches;
    sums.failed += sum.failed;
    sums.kernels.push_back(std::move(sum));
  }
  std::ranges::stable_sort(sums.kernels, std::ranges::greater{}, &KernelSum::time);
  std::map<std::string, CopySum> copies;
  for (const auto& copy : events.copies) {
    auto& sum = copies[copy.is_set ? "set" : copy.direction];
    ++sum.calls;
    sum.bytes += copy.bytes;
    sum.time += copy.end - copy.begin;
    sums.end = std::max(sums.end, copy.end);
    sums.copy_time += copy.end - copy.begin;
  }
  for (auto& [what, sum] : copies) {
    sum.what = what;
    sums.copies.push_back(sum);
  }
  return sums;
}

Records kernel_records(const Sums& sums) {
  Records records{{"kernel", "launches", "time_us", "share", "least_us", "most_us", "limiter", "predicted", "recorded",
                   "by_work", "failed", "assumed", "executed", "lane_instructions", "host_s"},
                  {}};
  const auto unless_zero = [](std::int64_t number) { return number == 0 ? Cell() : Cell(number); };
  for (const auto& sum : sums.kernels) {
    const bool is_timed = sum.launches > sum.failed;
    records.rows.push_back({sum.kernel, sum.launches, is_timed ? Cell(sum.time * kMicroseconds) : Cell(),
                            sums.kernel_time > 0 ? Cell(sum.time / sums.kernel_time) : Cell(),
                            is_timed ? Cell(sum.least * kMicroseconds) : Cell(),
                            is_timed ? Cell(sum.most * kMicroseconds) : Cell(), text_cell(sum.limiter), sum.predicted,
                            unless_zero(sum.recorded), unless_zero(sum.by_work), unless_zero(sum.failed),
                            unless_zero(sum.assumptions), sum.executed, sum.lane_instructions, sum.host_seconds});
  }
  return records;
}

/// For people: shares in percent, and values common to all launches are not repeated.
Records shown_records(const Sums& sums) {
  auto records = kernel_records(sums);
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(records.names, name) - records.names.begin());
  };
  const auto share = column("share"), launches = column("launches"), executed = column("executed");
  for (auto& row : records.rows) {
    if (const auto* part = std::get_if<double>(&row[share])) row[share] = fmt::format("{:.1f} %", 100 * *part);
    if (row[launches] == row[executed]) row[executed] = Cell();
    row[column("lane_instructions")] = Cell();
    row[column("host_s")] = Cell();
  }
  return records;
}

Records copy_records(const Sums& sums) {
  Records records{{"copy", "calls", "bytes", "time_us"}, {}};
  for (const auto& sum : sums.copies)
    records.rows.push_back({sum.what, sum.calls, sum.bytes, sum.time * kMicroseconds});
  return records;
}

std::string time_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.4g} s", seconds);
  return seconds >= 1e-3 ? fmt::format("{:.4g} ms", seconds * 1e3) : fmt::format("{:.4g} us", seconds * 1e6);
}

std::string sum_text(const Sums& sums) {
  const auto text = fmt::format("{} in kernels, {} in copies, {} from the first to the last",
                                time_text(sums.kernel_time), time_text(sums.copy_time), time_text(sums.end));
  if (sums.failed == 0) return text;
  return fmt::format("{}, without {} of {} launches, which are not predicted", text, sums.failed, sums.launches);
}

std::string indented(const std::string& text) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
    made += "  " + text.substr(at, end - at);
    at = end;
  }
  return made;
}

/// Notes on the times for the reader.
std::vector<std::string> notes_of(const ExecutedProgram& run, const Sums& sums) {
  std::vector<std::string> notes;
  bool by_link = false;
  for (const auto& copy : sums.copies)
    by_link = by_link || copy.what == "host to device" || copy.what == "device to host";
  if (by_link)
    notes.push_back(
        fmt::format("copies over the host's link: {:.1f} GB/s each way, {}", run.link_bytes_per_second / 1e9,
                    run.link.empty() ? "as given" : "the most that " + run.link + " carries, which is assumed"));
  for (const auto& sum : sums.kernels) {
    if (sum.assumptions > 0)
      notes.push_back(fmt::format("{}: {} assumed, first {}", sum.kernel, sum.assumptions, sum.first_assumption));
    if (sum.failed > 0) notes.push_back(fmt::format("{}: {} not predicted: {}", sum.kernel, sum.failed, sum.problem));
    if (!sum.execution_problem.empty())
      notes.push_back(fmt::format("{}: not executed to its end: {}", sum.kernel, sum.execution_problem));
    if (sum.by_work > 0)
      notes.push_back(
          fmt::format("{}: {} launches between those that are predicted, by instructions", sum.kernel, sum.by_work));
  }
  return notes;
}

void write_sums(JsonWriter& json, const char* key, const Records& records) {
  json.key(key).begin_array();
  for (const auto& row : records.rows) write_record(json, records, row);
  json.end_array();
}

}  // namespace

bool is_predicted(const ExecutedProgram& run) { return sums_of(run.events).failed == 0; }

ProgramReport report_of(const ExecutedProgram& run) {
  const auto sums = sums_of(run.events);
  const auto name = std::filesystem::path(run.program).filename().string();
  ProgramReport report{fmt::format("{} on {}", name, run.device.name),
                       run.device.title,
                       sum_text(sums) + ".",
                       {},
                       {{"Kernels", table_of(shown_records(sums))}}};
  if (!sums.copies.empty()) report.tables.push_back({"Copies", table_of(copy_records(sums))});
  for (const auto& event : timeline_of(run.events)) {
    std::string detail;
    for (const auto& [key, value] : event.facts)
      detail += fmt::format("{}{} {}", detail.empty() ? "" : ", ", key, value);
    report.spans.push_back({event.name, track_of(event.stream), Seconds{event.begin}, Seconds{event.end}, detail,
                            Seconds{event.end - event.begin}, event.category == "copy"});
  }
  report.notes = notes_of(run, sums);
  return report;
}

std::string write_text(const ExecutedProgram& run) {
  const auto sums = sums_of(run.events);
  std::string text = fmt::format("{} on {}, {}\n", run.program, run.device.name, run.device.title);
  text += "\nKernels\n" + indented(to_text(shown_records(sums)));
  if (!sums.copies.empty()) text += "\nCopies\n" + indented(to_text(copy_records(sums)));
  text += fmt::format("\nSum\n  {}\n", sum_text(sums));
  const auto notes = notes_of(run, sums);
  if (!notes.empty()) text += "\nNotes\n";
  for (const auto& note : notes) text += fmt::format("  {}\n", note);
  return text;
}

std::string write_json(const ExecutedProgram& run) {
  const auto sums = sums_of(run.events);
  JsonWriter json;
  json.begin_object();
  json.member("format", "warpipe-run").member("version", std::int64_t{1});
  json.member("program", run.program).member("device", run.device.name);
  write_sums(json, "kernels", kernel_records(sums));
  write_sums(json, "copies", copy_records(sums));
  json.key("link").begin_object();
  json.member("bytes_per_s", run.link_bytes_per_second);
  json.member("assumed", !run.link.empty());
  json.end_object();
  json.key("sum").begin_object();
  json.member("kernels_s", sums.kernel_time).member("copies_s", sums.copy_time).member("timeline_s", sums.end);
  json.end_object().end_object();
  return json.text();
}

}  // namespace warpipe::app
