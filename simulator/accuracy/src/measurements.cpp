#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/accuracy/csv.hpp"
#include "warpipe/idg/expression.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/number.hpp"

namespace warpipe {
namespace {

constexpr std::string_view kQuantities = "cycles, time_us, bandwidth_gbps, gflops";

std::optional<Quantity> parse_quantity(std::string_view name) {
  for (const Quantity quantity : {Quantity::Cycles, Quantity::TimeUs, Quantity::BandwidthGbps, Quantity::Gflops}) {
    if (name == to_string(quantity)) return quantity;
  }
  return std::nullopt;
}

/// The line and the column names of a CSV.
class Header {
 public:
  Header(const CsvRow& row, CsvProblems& problems) : line_(row.line), names_(row.cells), problems_(problems) {}

  const std::vector<std::string>& names() const { return names_; }
  bool has(std::string_view name) const { return index_of(name) < names_.size(); }
  std::size_t index_of(std::string_view name) const {
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  }

  /// @throws InputError with all problems of the header
  void check(const MeasurementFilter& filter) {
    check_names();
    require_or_stand_in("kernel", filter.kernel);
    require_or_stand_in("device", filter.device ? filter.device : filter.device_of_no_column);
    require_quantity();
    if (has("includes_overhead") && !has("time_us")) {
      fail("includes_overhead", "includes_overhead needs a column time_us", "", "remove the column, or give times");
    }
    problems_.throw_if_any();
  }

 private:
  void fail(std::string_view column, std::string problem, std::string_view found, std::string advice) {
    problems_.add(line_, column, std::move(problem), found, std::move(advice));
  }

  static bool is_known(std::string_view name) {
    static constexpr std::string_view kKnown[] = {
        "kernel", "device", "group_size", "groups", "concurrent_groups", "occupancy_warps", "includes_overhead",
        "fits",   "source"};
    return std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown) || parse_quantity(name);
  }

  void check_names() {
    std::set<std::string_view> seen;
    for (const std::string& name : names_) {
      if (!seen.insert(name).second) fail(name, "the column is there twice", "", "remove one of them");
      if (is_known(name)) continue;
      if (!is_name(name) || is_reserved_name(name)) {
        fail(name, fmt::format("\"{}\" is neither a column of the format nor the name of a parameter", name), "",
             "rename or remove it; \"source\" takes any text");
      }
    }
  }

  void require_or_stand_in(const std::string& name, const std::optional<std::string>& stand_in) {
    if (has(name) || stand_in) return;
    fail(name, "the column is missing", "", fmt::format("add it, or give `{}`", name));
  }

  void require_quantity() {
    if (std::ranges::any_of(names_, [](const std::string& name) { return parse_quantity(name).has_value(); })) return;
    fail("", fmt::format("one of {} must be a column", kQuantities), "", "add what was measured");
  }

  std::size_t line_;
  std::vector<std::string> names_;
  CsvProblems& problems_;
};

/// Turns the cells of a row into a measurement.
class RowReader {
 public:
  RowReader(const Header& header, const CsvRow& row, CsvProblems& problems)
      : header_(header), row_(row), problems_(problems) {}

  Measurement read(const MeasurementFilter& filter) {
    measurement_.line = row_.line;
    measurement_.kernel = filter.kernel.value_or("");
    measurement_.device = filter.device.value_or(filter.device_of_no_column.value_or(""));
    for (std::size_t i = 0; i < row_.cells.size(); ++i) read_cell(header_.names()[i], row_.cells[i]);
    if (quantities_ != 1)
      problems_.add(row_.line, "", fmt::format("a row must have exactly one of {}", kQuantities),
                    fmt::format("found {}", quantities_), "fill the cell of what was measured");
    if (measurement_.includes_overhead && measurement_.quantity != Quantity::TimeUs)
      fail("includes_overhead", "only a time can include the launch", "1", "give time_us, or write 0");
    if (measurement_.options.concurrent_groups && measurement_.occupancy_warps) {
      fail("occupancy_warps", "a row can give only one of concurrent_groups and occupancy_warps", "both",
           "empty one of the cells");
    }
    return std::move(measurement_);
  }

 private:
  void read_cell(const std::string& column, const std::string& cell) {
    if (column == "kernel") {
      measurement_.kernel = name(column, cell);
    } else if (column == "device") {
      measurement_.device = name(column, cell);
    } else if (column == "source") {
      measurement_.source = cell;
    } else if (column == "fits") {
      read_fits(cell);
    } else if (const auto quantity = parse_quantity(column)) {
      if (cell.empty()) return;
      ++quantities_;
      measurement_.quantity = *quantity;
      measurement_.value = measured(column, cell);
    } else if (!cell.empty()) {
      read_option(column, cell);
    }
  }

  /// Names with blanks between them.
  void read_fits(std::string_view names) {
    while (!names.empty()) {
      const auto blank = std::min(names.find(' '), names.size());
      if (blank > 0) measurement_.fits.emplace_back(names.substr(0, blank));
      names.remove_prefix(std::min(blank + 1, names.size()));
    }
  }

  /// Reads a non-empty cell of an optional column.
  void read_option(const std::string& column, const std::string& cell) {
    LaunchOptions& options = measurement_.options;
    if (column == "group_size") {
      options.group_size = whole(column, cell);
    } else if (column == "groups") {
      options.groups = whole(column, cell);
    } else if (column == "concurrent_groups") {
      options.concurrent_groups = whole(column, cell);
    } else if (column == "occupancy_warps") {
      measurement_.occupancy_warps = whole(column, cell);
    } else if (column == "includes_overhead") {
      measurement_.includes_overhead = cell == "1";
      if (cell != "0" && cell != "1") fail(column, "includes_overhead must be 0 or 1", cell, "write 0 or 1");
    } else if (const auto number = parse_number(cell)) {
      options.parameters.emplace(column, *number);
    } else {
      fail(column, "a parameter must be a number", cell, "write a number, or put text into the column \"source\"");
    }
  }

  std::string name(const std::string& column, const std::string& cell) {
    if (cell.empty()) fail(column, "the cell must not be empty", "", fmt::format("write the name of the {}", column));
    return cell;
  }

  double measured(const std::string& column, const std::string& cell) {
    const auto number = parse_number(cell);
    if (number && *number > 0) return *number;
    fail(column, "a measured value must be a number above 0", cell, "write the measured value, or remove the row");
    return 0;
  }

  std::int64_t whole(const std::string& column, const std::string& cell) {
    const auto number = parse_number(cell);
    if (number && is_whole(*number, 1)) return static_cast<std::int64_t>(*number);
    fail(column, fmt::format("{} must be a whole number from 1 to 2^53", column), cell,
         "write such a number, or leave the cell empty");
    return 1;
  }

  void fail(const std::string& column, std::string problem, const std::string& cell, std::string advice) {
    problems_.add(row_.line, column, std::move(problem), cell.empty() ? "found nothing" : fmt::format("found {}", cell),
                  std::move(advice));
  }

  const Header& header_;
  const CsvRow& row_;
  CsvProblems& problems_;
  Measurement measurement_;
  int quantities_ = 0;
};

bool fits(const CsvRow& row, const Header& header, CsvProblems& problems) {
  if (row.cells.size() == header.names().size()) return true;
  problems.add(row.line, "", fmt::format("a row must have a cell for each of the {} columns", header.names().size()),
               fmt::format("found {}", row.cells.size()), "add or remove commas; quote a cell that holds one");
  return false;
}

bool is_chosen(const CsvRow& row, const Header& header, std::string_view column,
               const std::optional<std::string>& wanted) {
  return !wanted || !header.has(column) || lower_case(row.cells[header.index_of(column)]) == lower_case(*wanted);
}

/// Suggests names in the file where none of the rows was chosen.
std::string names_in(const std::vector<CsvRow>& rows, const Header& header, std::string_view column,
                     const std::optional<std::string>& wanted) {
  if (!wanted || !header.has(column)) return "";
  std::set<std::string> names;
  for (const CsvRow& row : rows) names.insert(row.cells[header.index_of(column)]);
  return suggest(*wanted, std::vector(names.begin(), names.end()));
}

void fail_without_rows(const std::vector<CsvRow>& rows, const Header& header, const MeasurementFilter& filter,
                       CsvProblems& problems) {
  if (rows.empty()) {
    problems.add(0, "", "there is no row of measured data below the header", "", "");
  } else {
    std::string advice = names_in(rows, header, "kernel", filter.kernel);
    if (advice.empty()) advice = names_in(rows, header, "device", filter.device);
    problems.add(0, "", fmt::format("none of the {} rows is of the chosen kernel and device", rows.size()), "",
                 std::move(advice));
  }
  problems.throw_if_any();
}

}  // namespace

std::string to_string(Quantity quantity) {
  switch (quantity) {
    case Quantity::Cycles:
      return "cycles";
    case Quantity::TimeUs:
      return "time_us";
    case Quantity::BandwidthGbps:
      return "bandwidth_gbps";
    case Quantity::Gflops:
      return "gflops";
  }
  return "";
}

std::vector<Measurement> read_measurements_csv(std::string_view text, const std::string& file,
                                               const MeasurementFilter& filter) {
  CsvProblems problems(file);
  std::vector<CsvRow> rows = read_csv(text, problems);
  if (rows.empty()) {
    problems.add(0, "", "the file is empty: the first line must name the columns", "", "");
    problems.throw_if_any();
  }
  Header header(rows.front(), problems);
  header.check(filter);
  rows.erase(rows.begin());

  std::vector<Measurement> measurements;
  for (const CsvRow& row : rows) {
    if (!fits(row, header, problems)) continue;
    if (!is_chosen(row, header, "kernel", filter.kernel) || !is_chosen(row, header, "device", filter.device)) continue;
    measurements.push_back(RowReader(header, row, problems).read(filter));
  }
  problems.throw_if_any();
  if (measurements.empty()) fail_without_rows(rows, header, filter, problems);
  return measurements;
}

}  // namespace warpipe
