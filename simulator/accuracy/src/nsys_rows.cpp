#include <fmt/format.h>

#include <algorithm>

#include "foreign_rows.hpp"
#include "foreign_table.hpp"

/// Nsight Systems: `nsys stats --format csv`, reports cuda_gpu_trace and cuda_gpu_kern_sum.
/// @source Nsight Systems user guide, "Report scripts"; times are in nanoseconds unless --timeunit asks for other units

namespace warpipe {
namespace {

constexpr std::string_view kTrace[] = {"GrdX", "GrdY", "GrdZ", "BlkX", "BlkY", "BlkZ", "Device", "Name"};
constexpr std::string_view kSummary[] = {"Instances", "Name"};

/// The column of a time with its unit: "Duration (ns)".
struct TimeColumn {
  std::string name, unit;
};

std::optional<TimeColumn> time_column(const ForeignTable& table, std::string_view name) {
  for (const std::string& column : table.columns()) {
    if (!column.starts_with(name) || !column.substr(name.size()).starts_with(" (") || !column.ends_with(')')) continue;
    const auto unit = column.substr(name.size() + 2);
    return TimeColumn{column, unit.substr(0, unit.size() - 1)};
  }
  return std::nullopt;
}

/// The title of "NVIDIA A100-SXM4-80GB (0)".
std::string device_title(const std::string& cell) {
  const auto index = cell.rfind(" (");
  const bool is_numbered = index != std::string::npos && cell.ends_with(')') &&
                           cell.find_first_not_of("0123456789", index + 2) == cell.size() - 1;
  return is_numbered ? cell.substr(0, index) : cell;
}

std::int64_t product(ForeignTable& table, const CsvRow& row, std::initializer_list<std::string_view> columns) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  std::int64_t result = 1;
  for (const auto column : columns) {
    const auto factor = table.whole(row, column).value_or(1);
    if (result > kMost / factor) {
      table.fail(row, column, "a launch must have at most 2^53 groups, and groups at most 2^53 threads", "");
      return 1;
    }
    result *= factor;
  }
  return result;
}

}  // namespace

bool is_nsys_trace(std::string_view text) { return ForeignTable::is_in(text, kTrace); }

void read_nsys_trace(std::string_view text, ForeignRows& rows) {
  ForeignTable table(text, rows.file(), kTrace);
  const auto time = time_column(table, "Duration");
  if (!time) table.problems().add(0, "", "no column \"Duration\" with a unit, as in Duration (ns)", "", "");
  table.problems().throw_if_any();
  for (const CsvRow& row : table.rows()) {
    if (table.cell(row, "GrdX").empty()) {
      rows.is_no_kernel();
      continue;
    }
    auto measurement = rows.begin(row.line, table.cell(row, "Name"), device_title(table.cell(row, "Device")));
    if (!measurement) continue;
    measurement->options.groups = product(table, row, {"GrdX", "GrdY", "GrdZ"});
    measurement->options.group_size = product(table, row, {"BlkX", "BlkY", "BlkZ"});
    measurement->value = table.microseconds(row, time->name, time->unit).value_or(0);
    rows.add(std::move(*measurement));
  }
  table.problems().throw_if_any();
}

bool is_nsys_summary(std::string_view text) { return ForeignTable::is_in(text, kSummary); }

void read_nsys_summary(std::string_view text, ForeignRows& rows) {
  ForeignTable table(text, rows.file(), kSummary);
  const auto time = time_column(table, "Med");
  if (!time) table.problems().add(0, "", "no column \"Med\" with a unit, as in Med (ns)", "", "");
  table.problems().throw_if_any();
  for (const CsvRow& row : table.rows()) {
    auto measurement = rows.begin(row.line, table.cell(row, "Name"), "");
    if (!measurement) continue;
    measurement->source = fmt::format("median of {} launches", table.cell(row, "Instances"));
    measurement->value = table.microseconds(row, time->name, time->unit).value_or(0);
    rows.add(std::move(*measurement));
  }
  rows.note(
      "The report has no launches: group size and groups are those of the command line, else of the kernel file.");
  table.problems().throw_if_any();
}

}  // namespace warpipe
