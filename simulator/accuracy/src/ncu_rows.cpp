#include <algorithm>
#include <map>
#include <utility>

#include "foreign_rows.hpp"
#include "foreign_table.hpp"
#include "warpipe/idg/number.hpp"

/// Nsight Compute: `ncu --csv`.
/// @source Nsight Compute CLI, "--page", "--csv" and "--print-units"; the columns as its versions 2021 to 2025 print
/// them

namespace warpipe {
namespace {

constexpr std::string_view kRaw[] = {"ID", "Kernel Name", "Block Size", "Grid Size"};
constexpr std::string_view kDetails[] = {"ID",          "Kernel Name", "Block Size",  "Grid Size",
                                         "Metric Name", "Metric Unit", "Metric Value"};
constexpr std::string_view kTime = "gpu__time_duration.sum";
constexpr std::string_view kCycles = "sm__cycles_elapsed.max";
constexpr const char* kNoMetric = "neither gpu__time_duration.sum nor sm__cycles_elapsed.max";

/// The product of "(256, 1, 1)".
std::optional<std::int64_t> launch_size(ForeignTable& table, const CsvRow& row, std::string_view column) {
  std::string_view text = table.cell(row, column);
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  double product = 1;
  std::size_t count = 0;
  while (true) {
    const auto number = parse_number(text.substr(0, text.find(',')));
    product *= number && is_whole(*number, 1) ? *number : 0;
    ++count;
    if (text.find(',') == std::string_view::npos) break;
    text.remove_prefix(text.find(',') + 1);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  if (count == 3 && is_whole(product, 1)) return static_cast<std::int64_t>(product);
  table.fail(row, column, "a size must be three whole numbers as in (256, 1, 1)", "");
  return std::nullopt;
}

std::optional<Measurement> begin_launch(ForeignTable& table, const CsvRow& row, ForeignRows& rows) {
  auto measurement = rows.begin(row.line, table.cell(row, "Kernel Name"), "", table.cell(row, "Device"));
  if (!measurement) return std::nullopt;
  measurement->options.group_size = launch_size(table, row, "Block Size");
  measurement->options.groups = launch_size(table, row, "Grid Size");
  return measurement;
}

/// Puts a metric into the measurement.
/// @param column  with its value
void measure(ForeignTable& table, const CsvRow& row, std::string_view column, std::string_view unit, Quantity quantity,
             Measurement& measurement) {
  measurement.quantity = quantity;
  if (quantity == Quantity::TimeUs) {
    measurement.value = table.microseconds(row, column, unit).value_or(0);
    return;
  }
  measurement.value = grouped_number(table.cell(row, column)).value_or(0);
  if (!(measurement.value > 0)) table.fail(row, column, "measured cycles must be a number above 0", "remove the row");
}

bool is_missing(const std::string& cell) { return cell.empty() || cell == "n/a" || cell == "N/A"; }

/// A launch of the details page, with a row per metric.
struct ProfiledLaunch {
  std::optional<Measurement> measurement;  ///< nothing where the kernel is not to be scored
  const CsvRow* time = nullptr;
  const CsvRow* cycles = nullptr;
};

}  // namespace

bool is_ncu_details(std::string_view text) { return ForeignTable::is_in(text, kDetails); }

void read_ncu_details(std::string_view text, ForeignRows& rows) {
  ForeignTable table(text, rows.file(), kDetails);
  std::vector<ProfiledLaunch> launches;
  std::map<std::pair<std::string, std::string>, std::size_t> index_of;
  for (const CsvRow& row : table.rows()) {
    const auto [place, is_new] =
        index_of.try_emplace({table.cell(row, "Process ID"), table.cell(row, "ID")}, launches.size());
    if (is_new) launches.push_back({begin_launch(table, row, rows), nullptr, nullptr});
    ProfiledLaunch& launch = launches[place->second];
    const auto& metric = table.cell(row, "Metric Name");
    if (is_missing(table.cell(row, "Metric Value"))) continue;
    if (launch.time == nullptr && (metric == kTime || metric == "Duration")) launch.time = &row;
    if (launch.cycles == nullptr && metric == kCycles) launch.cycles = &row;
  }
  for (ProfiledLaunch& launch : launches) {
    if (!launch.measurement) continue;
    const CsvRow* row = launch.time != nullptr ? launch.time : launch.cycles;
    if (row == nullptr) {
      rows.has_no_time(kNoMetric);
      continue;
    }
    const auto quantity = launch.time != nullptr ? Quantity::TimeUs : Quantity::Cycles;
    measure(table, *row, "Metric Value", table.cell(*row, "Metric Unit"), quantity, *launch.measurement);
    rows.add(std::move(*launch.measurement));
  }
  table.problems().throw_if_any();
}

bool is_ncu_raw(std::string_view text) { return ForeignTable::is_in(text, kRaw); }

void read_ncu_raw(std::string_view text, ForeignRows& rows) {
  ForeignTable table(text, rows.file(), kRaw);
  const CsvRow* units = nullptr;
  for (const CsvRow& row : table.rows()) {
    if (units == nullptr) {
      units = &row;
      if (!table.cell(row, "Kernel Name").empty())
        table.fail(row, "", "the line of units is missing below the header", "keep all lines of the table");
      if (table.cell(row, "Kernel Name").empty()) continue;
    }
    auto measurement = begin_launch(table, row, rows);
    if (!measurement) continue;
    const bool has_time = !is_missing(table.cell(row, kTime));
    const auto column = has_time ? kTime : kCycles;
    if (is_missing(table.cell(row, column))) {
      rows.has_no_time(kNoMetric);
      continue;
    }
    measure(table, row, column, table.cell(*units, column), has_time ? Quantity::TimeUs : Quantity::Cycles,
            *measurement);
    rows.add(std::move(*measurement));
  }
  table.problems().throw_if_any();
}

}  // namespace warpipe
