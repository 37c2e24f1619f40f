#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "probes.hpp"

namespace measure {

/// A measured run, or the difference of two, in the model's terms.
struct Row {
  std::string kernel;
  int group_size = 0;         ///< threads
  long long groups = 0;       ///< of the whole launch
  int concurrent_groups = 0;  ///< resident on each unit
  std::map<std::string, double> parameters;
  double cycles = 0;

  double time_us = 0;    ///< the same time, by events
  double clock_mhz = 0;  ///< seen during this measurement
  int repeats = 0;
  double spread = 0;           ///< (largest - smallest) / median of the cycles
  std::optional<Probe> probe;  ///< the row's entry of probes.json
  std::string how;             ///< "chain", "chase", ...: the part, with its notes
};

/// The facts shared by all rows of a run.
struct RunFacts {
  std::string device;   ///< name of the device table
  std::string gpu;      ///< its name in the driver
  std::string driver;   ///< version
  std::string toolkit;  ///< version
  double launch_overhead_us = 0;
};

/// Writes the measured format of warpipe, a row as soon as it is known.
class CsvWriter {
 public:
  /// Writes the header.
  /// @param of_probes  with columns for times and for the numbers to fit to a row; without, all rows are in cycles
  CsvWriter(std::ostream& out, RunFacts facts, bool of_probes = false);

  /// @throws std::logic_error   for a parameter without a column
  /// @throws std::runtime_error if the row could not be written
  void write(const Row& row);
  int rows() const { return rows_; }

  /// The columns of kernel parameters, the same in every file.
  static const std::vector<std::string>& parameter_columns();

 private:
  std::string measured(const Row& row) const;

  std::ostream& out_;
  RunFacts facts_;
  bool of_probes_;
  int rows_ = 0;
};

/// A cell in the form of RFC 4180: quoted if it holds a comma, a quote or a line break.
std::string csv_cell(const std::string& text);

/// Lower case, with an underscore for each run of characters besides letters and digits: "NVIDIA H100 PCIe" ->
/// "nvidia_h100_pcie".
std::string table_name(const std::string& gpu);

}  // namespace measure
