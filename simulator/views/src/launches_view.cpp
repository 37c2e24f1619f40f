#include "warpipe/views/launches_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/idg/printable.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/records.hpp"

namespace warpipe {
namespace {

constexpr double kMicroseconds = 1e6;

/// Of a launch, with its overhead.
double total_time(const Prediction& prediction, const Device& device) {
  return std::max(prediction.total_time.count, device.launch_interval.count);
}

/// The ends of a range, in microseconds.
std::vector<Cell> range_cells(const std::optional<Interval>& range) {
  if (!range) return {Cell(), Cell()};
  return {in_microseconds(range->low), in_microseconds(range->high)};
}

bool has_ranges(const ProgramTimes& program) {
  return std::ranges::any_of(program.launches, [](const ProgramTimes::Launch& launch) {
    return launch.prediction && launch.prediction->range;
  });
}

Records records_of(const ProgramTimes& program) {
  Records records{{"line", "entry", "block", "grid", "times", "cycles", "time_us"}, {}};
  const bool ranges = has_ranges(program);
  if (ranges) records.names.insert(records.names.end(), {"low_us", "high_us"});
  records.names.insert(records.names.end(), {"total_time_us", "sum_us", "share", "limiter", "error"});
  const auto sum = sum_of(program);
  for (const auto& launch : program.launches) {
    std::vector<Cell> row{static_cast<std::int64_t>(launch.line), launch.entry, launch.block, launch.grid,
                          launch.times};
    if (const auto& one = launch.prediction) {
      const double all = one->time.count * static_cast<double>(launch.times);
      row.insert(row.end(), {one->cycles, one->time.count * kMicroseconds});
      if (ranges) std::ranges::move(range_cells(interval_of_time(*one)), std::back_inserter(row));
      row.insert(row.end(), {total_time(*one, program.device) * kMicroseconds, all * kMicroseconds});
      row.push_back(sum.time > 0 ? Cell(all / sum.time) : Cell());
      row.push_back(one->bounds.empty() ? Cell() : Cell(limiter_name(*one)));
    }
    row.resize(records.names.size() - 1);
    row.push_back(text_cell(launch.error));
    records.rows.push_back(std::move(row));
  }
  return records;
}

/// For people: shares in percent, and no errors, which are said apart.
Records shown_records(const ProgramTimes& program) {
  auto records = records_of(program);
  const auto share = static_cast<std::size_t>(std::ranges::find(records.names, "share") - records.names.begin());
  records.names.pop_back();
  for (auto& row : records.rows) {
    const bool failed = !std::holds_alternative<std::monostate>(row.back());
    row.pop_back();
    if (failed) row.back() = std::string("failed");
    if (const auto* part = std::get_if<double>(&row[share])) row[share] = fmt::format("{:.1f} %", 100 * *part);
  }
  return records;
}

/// The last row of a CSV.
std::vector<Cell> sum_row(const ProgramTimes& program) {
  const auto sum = sum_of(program);
  const auto failed = sum.failed == 0 ? Cell() : Cell(fmt::format("{} launches failed", sum.failed));
  std::vector<Cell> row{Cell(), std::string("sum"), Cell(), Cell(), sum.launches, Cell(), Cell()};
  if (has_ranges(program)) std::ranges::move(range_cells(sum.range), std::back_inserter(row));
  row.insert(row.end(), {sum.total_time * kMicroseconds, sum.time * kMicroseconds, Cell(), Cell(), failed});
  return row;
}

std::string gap_text(const Device& device) {
  if (!device.launch_gap) return ", without the gaps between launches, which are unknown";
  return fmt::format(" with {} between two launches", show_time(*device.launch_gap));
}

}  // namespace

ProgramSum sum_of(const ProgramTimes& program) {
  ProgramSum sum;
  double last_wait = 0;  // behind the last launch: nothing waits for it
  const double gap = program.device.launch_gap.value_or(Seconds{0}).count;
  Interval range{0, 0};
  bool all_have_ranges = !program.launches.empty();
  for (const auto& launch : program.launches) {
    if (!launch.prediction) {
      sum.failed += launch.times;
      all_have_ranges = false;
      continue;
    }
    const auto times = static_cast<double>(launch.times);
    sum.launches += launch.times;
    sum.time += times * launch.prediction->time.count;
    sum.total_time += times * total_time(*launch.prediction, program.device);
    const double run = launch.prediction->time.count;
    const double step = std::max(run + gap, program.device.launch_interval.count);
    sum.back_to_back += times * step;
    if (launch.times > 0) last_wait = step - run;
    const auto own = interval_of_time(*launch.prediction).value_or(Interval{});
    range = {range.low + times * own.low, range.high + times * own.high};
    all_have_ranges = all_have_ranges && launch.prediction->range.has_value();
  }
  if (all_have_ranges) sum.range = range;
  if (sum.launches > 0) sum.back_to_back += program.device.launch_overhead.count - last_wait;
  return sum;
}

TextTable table_of(const ProgramTimes& program) { return table_of(shown_records(program)); }

std::string show_sum(const ProgramTimes& program) {
  const auto sum = sum_of(program);
  auto text = fmt::format("sum of {} {} on {}: {}", sum.launches, sum.launches == 1 ? "launch" : "launches",
                          printable(program.device.name), show_time(Seconds{sum.time}, sum.range));
  if (sum.total_time != sum.time) text += fmt::format(", with launch overhead {}", show_time(Seconds{sum.total_time}));
  if (sum.launches > 1)
    text += fmt::format(", back to back {}{}", show_time(Seconds{sum.back_to_back}), gap_text(program.device));
  if (sum.failed > 0) text += fmt::format("; without {} that failed", sum.failed);
  return text;
}

std::string write_text(const ProgramTimes& program) {
  return table_of(program).text() + "\n" + show_sum(program) + "\n";
}

std::string write_csv(const ProgramTimes& program) {
  auto records = records_of(program);
  records.rows.push_back(sum_row(program));
  return to_csv(records);
}

std::string write_json(const ProgramTimes& program) {
  const auto records = records_of(program);
  const auto sum = sum_of(program);
  JsonWriter json;
  json.begin_object().member("format", "warpipe-launches").member("version", std::int64_t{1});
  json.member("device", program.device.name).key("launches").begin_array();
  for (const auto& row : records.rows) write_record(json, records, row);
  json.end_array().key("sum").begin_object().member("launches", sum.launches).member("failed", sum.failed);
  json.member("time_s", sum.time);
  if (sum.range) json.member("low_s", sum.range->low).member("high_s", sum.range->high);
  json.member("total_time_s", sum.total_time).member("back_to_back_s", sum.back_to_back);
  if (program.device.launch_gap) json.member("gap_s", program.device.launch_gap->count);
  return json.end_object().end_object().text();
}

}  // namespace warpipe
