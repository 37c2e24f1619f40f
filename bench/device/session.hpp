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
  bool quick = false;  ///< few points, small problems: to see that everything works
};

/// One run of the program on one device: what every part measures with, and where its rows go.
class Session {
 public:
  Session(const DeviceFacts& device, const Options& options, CsvWriter& writer);

  const DeviceFacts& device() const { return device_; }
  const Options& options() const { return options_; }

  /// What a run takes without and with --quick.
  template <class T>
  T scaled(T whole, T quick) const {
    return options_.quick ? quick : whole;
  }

  void begin_part(const std::string& name, double budget_s);
  void end_part();
  /// @return whether the part's time is over; says so once
  bool is_over();

  /// What is measured from here to the next probe is this one of probes.json: it gives each row of that name, and only
  /// if all its results are right.
  void begin_probe(const std::string& name);

  /// Writes a row whose cycles are a difference, or says why it does not count.
  void write(Row row, const Difference& difference);
  /// Writes a row as it is.
  void write(const Row& row);

  /// A result is wrong: said, counted, and the program will not end with success.
  void wrong_result(const std::string& what);
  /// A point that cannot be measured here.
  void left_out(const std::string& what);

  /// Reads other data through all caches, so that a run after it finds none of its own there, and nothing that is yet
  /// to be written.
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

/// What an empty launch costs: (many - one) launches back to back, by events.
double launch_overhead_us();

}  // namespace measure
