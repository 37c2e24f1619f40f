#include "foreign_rows.hpp"
#include "foreign_table.hpp"

/// The profilers of ROCm: `rocprof --stats`, results.csv, and `rocprofv3 --kernel-trace`, *_kernel_trace.csv. Their
/// grid is in work items, not in groups.
/// @source ROCProfiler documentation, "results.csv"; "Using rocprofv3", "Kernel trace"

namespace warpipe {
namespace {

constexpr std::string_view kFirst[] = {"KernelName", "grd", "wgr"};
constexpr std::string_view kThird[] = {"Kernel_Name",      "Start_Timestamp",  "End_Timestamp",
                                       "Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z",
                                       "Grid_Size_X",      "Grid_Size_Y",      "Grid_Size_Z"};

struct Axis {
  std::string_view group, grid;
};
constexpr Axis kAxes[] = {
    {"Workgroup_Size_X", "Grid_Size_X"}, {"Workgroup_Size_Y", "Grid_Size_Y"}, {"Workgroup_Size_Z", "Grid_Size_Z"}};

/// @return a x b; nothing beyond 2^53
std::optional<std::int64_t> times(std::optional<std::int64_t> a, std::int64_t b) {
  constexpr std::int64_t kMostWhole = std::int64_t{1} << 53;
  return a && *a <= kMostWhole / b ? std::optional(*a * b) : std::nullopt;
}

void read_launch(ForeignTable& table, const CsvRow& row, Measurement& measurement) {
  std::optional<std::int64_t> group_size = 1, groups = 1;
  for (const Axis& axis : kAxes) {
    const auto threads = table.whole(row, axis.group), items = table.whole(row, axis.grid);
    if (!threads || !items) return;
    group_size = times(group_size, *threads);
    groups = times(groups, groups_along(*items, *threads));
  }
  if (!group_size || !groups)
    table.fail(row, "Grid_Size_X", "a launch must have at most 2^53 groups, and groups at most 2^53 threads", "");
  measurement.options.group_size = group_size;
  measurement.options.groups = groups;
}

}  // namespace

bool is_rocprof(std::string_view text) { return ForeignTable::is_in(text, kFirst); }

void read_rocprof(std::string_view text, ForeignRows& rows) {
  ForeignTable table(text, rows.file(), kFirst);
  const bool has_duration = table.has("DurationNs");
  if (!has_duration && !(table.has("BeginNs") && table.has("EndNs")))
    table.problems().add(0, "", "neither a column \"DurationNs\" nor \"BeginNs\" and \"EndNs\"", "",
                         "measure with rocprof --timestamp on");
  table.problems().throw_if_any();
  for (const CsvRow& row : table.rows()) {
    auto measurement = rows.begin(row.line, table.cell(row, "KernelName"), "", table.cell(row, "gpu-id"));
    if (!measurement) continue;
    const auto items = table.whole(row, "grd"), threads = table.whole(row, "wgr");
    const auto time = has_duration ? table.microseconds(row, "DurationNs", "ns")
                                   : table.microseconds_between(row, "BeginNs", "EndNs");
    measurement->options.group_size = threads;
    if (items && threads) measurement->options.groups = groups_along(*items, *threads);
    measurement->value = time.value_or(0);
    rows.add(std::move(*measurement));
  }
  table.problems().throw_if_any();
}

bool is_rocprofv3(std::string_view text) { return ForeignTable::is_in(text, kThird); }

void read_rocprofv3(std::string_view text, ForeignRows& rows) {
  ForeignTable table(text, rows.file(), kThird);
  for (const CsvRow& row : table.rows()) {
    if (table.has("Kind") && table.cell(row, "Kind") != "KERNEL_DISPATCH") {
      rows.is_no_kernel();
      continue;
    }
    auto measurement = rows.begin(row.line, table.cell(row, "Kernel_Name"), "", table.cell(row, "Agent_Id"));
    if (!measurement) continue;
    read_launch(table, row, *measurement);
    measurement->value = table.microseconds_between(row, "Start_Timestamp", "End_Timestamp").value_or(0);
    rows.add(std::move(*measurement));
  }
  table.problems().throw_if_any();
}

}  // namespace warpipe
