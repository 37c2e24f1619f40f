#include "machine_code_rows.hpp"

#include <algorithm>
#include <sstream>

#include "files.hpp"
#include "warpipe/accuracy/csv.hpp"
#include "warpipe/amdgcn/import.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe::validation {
namespace {

/// From host to device on this card, an estimate of little effect: below 2 % of every row with copies.
constexpr double kHostBytesPerSecond = 55e9;

/// Run of the smallest launches, contained in the device's interval: by its table, a load, an addition and a store. A
/// launch waits for its predecessor, so the rest of the interval is between any two.
constexpr double kSmallestRun = 0.45e-6;

/// The store of the shortest paths: few threads find a shorter path, later in the run none.
const std::map<std::string, std::map<std::string, double>> kTaken = {{"floydwarshall", {{"72", 0}}}};

isa::Dimensions dimensions(const std::string& cell) {
  isa::Dimensions sizes{1, 1, 1};
  std::istringstream text(cell);
  text >> sizes[0] >> sizes[1] >> sizes[2];
  return sizes;
}

std::map<std::string, std::string> arguments(const std::string& cell) {
  std::map<std::string, std::string> found;
  std::istringstream text(cell);
  for (std::string one; text >> one;) found[one.substr(0, one.find('='))] = one.substr(one.find('=') + 1);
  return found;
}

/// @param names  of the columns: a column absent from the file has its default
MachineCodeRow row_of(const std::vector<std::string>& names, const CsvRow& cells) {
  const auto cell = [&](const char* name, const std::string& otherwise = "") {
    const auto column = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    return column < cells.cells.size() ? cells.cells[column] : otherwise;
  };
  MachineCodeRow row;
  row.line = cells.line;
  row.kernel = cell("kernel");
  row.size = cell("size");
  row.launch.block = dimensions(cell("block"));
  row.launch.grid = dimensions(cell("grid"));
  row.launch.arguments = arguments(cell("arguments"));
  row.launch.dynamic_shared_memory = std::stoll(cell("shared_bytes", "0"));
  if (const auto taken = kTaken.find(row.kernel); taken != kTaken.end()) row.launch.taken = taken->second;
  row.launches = std::stoll(cell("launches", "1"));
  row.copied_bytes = std::stoll(cell("copied_bytes", "0"));
  row.stack_bytes = std::stoll(cell("stack_bytes", "0"));
  row.time_us = std::stod(cell("time_us"));
  return row;
}

}  // namespace

std::vector<MachineCodeRow> read_machine_code_rows(const std::string& csv) {
  CsvProblems problems(csv);
  const auto lines = read_csv(read_text(reference_file(csv)), problems);
  problems.throw_if_any();
  std::vector<MachineCodeRow> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) rows.push_back(row_of(lines[0].cells, lines[i]));
  return rows;
}

std::filesystem::path listing_of(const MachineCodeRow& row) { return validation_file("hip/" + row.kernel + ".s"); }

double predicted_us(const MachineCodeRow& row, const Device& device, const std::filesystem::path& listing,
                    const std::string& entry) {
  isa::ImportOptions options;
  options.entry = entry.empty() ? row.kernel : entry;
  options.launch = row.launch;
  const auto import = amdgcn::import_assembly(amdgcn::read_assembly(read_text(listing), listing.string()), options);
  LaunchOptions launch;
  launch.repeated = true;
  const auto prediction = predict(import.kernel, device, launch);
  const double gap = std::max(0.0, device.launch_interval.count - kSmallestRun);
  const double step = std::max(device.launch_interval.count, prediction.time.count + gap);
  const double runs = static_cast<double>(row.launches - 1) * step + prediction.time.count;
  const double copies = static_cast<double>(row.copied_bytes) / kHostBytesPerSecond;
  return 1e6 * (device.launch_overhead.count + runs + copies);
}

double error_percent(const MachineCodeRow& row, double predicted) { return 100 * (predicted / row.time_us - 1); }

}  // namespace warpipe::validation
