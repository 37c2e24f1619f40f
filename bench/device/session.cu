#include "session.hpp"

#include <cstdio>
#include <utility>

#include "timing.hpp"

namespace measure {

Session::Session(const DeviceFacts& device, const Options& options, CsvWriter& writer)
    : device_(device), options_(options), writer_(writer) {}

void Session::begin_part(const std::string& name, double budget_s) {
  part_ = name;
  budget_.emplace(budget_s);
  said_over_ = false;
  rows_before_ = writer_.rows();
  left_out_ = 0;
  probe_.clear();
  std::fprintf(stderr, "%-16s ", name.c_str());
}

void Session::end_part() {
  std::fprintf(stderr, "%d rows", writer_.rows() - rows_before_);
  if (left_out_ > 0) std::fprintf(stderr, ", %d points left out", left_out_);
  std::fprintf(stderr, "%s\n", said_over_ ? ", stopped at its budget: the rest of its points is missing" : "");
}

bool Session::is_over() {
  if (!budget_ || !budget_->is_spent()) return false;
  said_over_ = true;
  return true;
}

void Session::begin_probe(const std::string& name) {
  probe_ = name;
  wrong_before_ = wrong_results_;
}

void Session::write(Row row, const Difference& difference) {
  if (!difference.problem.empty()) {
    left_out(row.kernel + " with " + std::to_string(row.concurrent_groups) + " groups of " +
             std::to_string(row.group_size) + ": " + difference.problem);
    return;
  }
  row.cycles = difference.cycles;
  row.time_us = difference.time_us;
  row.clock_mhz = difference.clock_mhz;
  row.spread = difference.spread;
  row.repeats = options_.repeats;
  row.how += ", " + std::to_string(difference.full_units) + " of " + std::to_string(device_.units) + " units";
  write(row);
}

void Session::write(const Row& row) {
  if (probe_.empty()) {
    writer_.write(row);
  } else if (wrong_results_ > wrong_before_) {
    left_out(probe_ + ": its results are wrong, see above");
  } else {
    write_probe(row);
  }
}

void Session::write_probe(const Row& row) {
  for (const Probe& probe : rows_of_probe(probe_)) {
    if (probe.quantity != Quantity::Cycles && row.time_us <= 0) {
      left_out(probe_ + ": the events show no time");
      continue;
    }
    Row named = row;
    named.probe = probe;
    writer_.write(named);
  }
}

void Session::wrong_result(const std::string& what) {
  ++wrong_results_;
  std::fprintf(stderr, "\nwarpipe-measure: wrong result: %s: %s\n", part_.c_str(), what.c_str());
}

void Session::left_out(const std::string& what) {
  ++left_out_;
  std::fprintf(stderr, "\nwarpipe-measure: left out: %s: %s\n", part_.c_str(), what.c_str());
}

namespace {

/// Reads all words; they are 0, so that nothing is ever written.
__global__ void sweep_kernel(unsigned long long* words, std::size_t count) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  unsigned long long sum = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) sum += words[i];
  if (sum != 0) words[0] = sum;
}

__global__ void empty_kernel() {}

}  // namespace

void Session::flush_caches() {
  if (!flushing_) {
    flushing_.emplace(2 * device_.last_cache_bytes / sizeof(unsigned long long));
    flushing_->fill(0);
  }
  for (int sweep = 0; sweep < 2; ++sweep)
    GPU_LAUNCH(sweep_kernel, 8 * device_.units, 256, 0, flushing_->data(), flushing_->size());
}

double launch_overhead_us() {
  const auto launch = [] { GPU_LAUNCH(empty_kernel, 1, 32, 0); };
  return time_of_a_launch(5, launch, 200).median;
}

}  // namespace measure
