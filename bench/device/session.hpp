#pragma once

#include <optional>
#include <string>

#include "budget.hpp"
#include "buffer.hpp"
#include "csv_writer.hpp"
#include "device_facts.hpp"
#include "difference.hpp"

namespace measure {

struct Options {
  int repeats = 5;
  bool quick = false;  ///< few points, small problems: to see the program work
};

/// A run of the program on a device: the means of measurement of all parts, and the output of their rows.
class Session {
 public:
  Session(const DeviceFacts& device, const Options& options, CsvWriter& writer);

  const DeviceFacts& device() const { return device_; }
  const Options& options() const { return options_; }

  /// The value for a run without --quick, or with it.
  template <class T>
  T scaled(T whole, T quick) const {
    return options_.quick ? quick : whole;
  }

  void begin_part(const std::string& name, double budget_s);
  void end_part();
  /// @return whether the part's time is over; reports it once
  bool is_over();

  /// Begins a probe of probes.json: the measurements up to the next probe give each row with its name, and only if all
  /// its results are right.
  void begin_probe(const std::string& name);

  /// Writes a row with a difference of cycles, or reports why it does not count.
  void write(Row row, const Difference& difference);
  /// Writes a row as it is.
  void write(const Row& row);

  /// A result is wrong: it is reported and counted, and the program will fail at its end.
  void wrong_result(const std::string& what);
  /// A point that cannot be measured here.
  void left_out(const std::string& what);

  /// Reads other data through all caches: a later run finds none of its own data there, and no unwritten data.
  void flush_caches();

  int wrong_results() const { return wrong_results_; }

 private:
  void write_probe(const Row& row);

  DeviceFacts device_;
  Options options_;
  CsvWriter& writer_;
  std::optional<Buffer<unsigned long long>> flushing_;

  std::string part_;
  std::optional<Budget> budget_;
  bool said_over_ = false;
  int rows_before_ = 0;
  int left_out_ = 0;
  int wrong_results_ = 0;
  std::string probe_;
  int wrong_before_ = 0;  ///< results, before the probe began
};

/// The time of an empty launch: (many - one) launches back to back, by events.
double launch_overhead_us();

}  // namespace measure
