#include "probes.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace measure {

const std::vector<Probe>& probe_rows() {
  static const std::vector<Probe> rows = {
      {"launch_alone", Quantity::TimeWithLaunch, "launch_overhead_s"},
      {"launch_in_a_row", Quantity::TimeWithLaunch, "launch_interval_s"},
      {"read_full", Quantity::Time, "dram.read_bytes_per_s"},
      {"init_full", Quantity::Time, "dram.write_bytes_per_s"},
      {"scale_full", Quantity::Time, "dram.mixed_bytes_per_s"},
      {"triad_full", Quantity::Time, ""},
      {"init_alone", Quantity::Time, "group_launch_latency memory.store_latency_s"},
      {"read_alone", Quantity::Time, "dram.latency_s"},
      {"scale_alone", Quantity::Time, "memory.store_latency_s"},
      {"empty_alone", Quantity::Time, "group_launch_latency"},
      {"read_quarter", Quantity::Time, ""},
      {"dispatch", Quantity::Time, "group_dispatch_interval"},
      {"ffma_full", Quantity::Cycles, "ffma.issue"},
      {"ffma_full", Quantity::Time, "clock_hz"},
      {"ffma_alone", Quantity::Cycles, "ffma.completion"},
      {"chase_l1", Quantity::Cycles, "l1.latency"},
      {"chase_l2", Quantity::Cycles, "l2.latency_s"},
      {"chase_dram", Quantity::Cycles, ""},
      {"l1_full", Quantity::Cycles, "l1.bytes_per_cycle"},
      {"l2_full", Quantity::Cycles, "l2.read_bytes_per_s"},
      {"iadd_alone", Quantity::Cycles, "iadd.completion"},
      {"iadd_full", Quantity::Cycles, "iadd.issue"},
      {"imad_alone", Quantity::Cycles, "imad.completion"},
      {"imad_full", Quantity::Cycles, "imad.issue"},
      {"dfma_alone", Quantity::Cycles, "dfma.completion"},
      {"dfma_full", Quantity::Cycles, "dfma.issue"},
      {"rsqrt_alone", Quantity::Cycles, "rsqrt.completion"},
      {"rsqrt_full", Quantity::Cycles, "rsqrt.issue"},
      {"shuffle_alone", Quantity::Cycles, "shuffle.completion"},
      {"shuffle_full", Quantity::Cycles, "shuffle.issue"},
      {"shared_alone", Quantity::Cycles, "shared.load.completion"},
      {"shared_full", Quantity::Cycles, "shared.load.issue"},
      {"shared_alone_conflicts", Quantity::Cycles, "shared.load.per_conflict.completion"},
      {"shared_full_conflicts", Quantity::Cycles, "shared.load.per_conflict.issue"},
      {"barrier_small", Quantity::Cycles, "barrier.completion"},
      {"barrier_large", Quantity::Cycles, "barrier.issue"},
      {"mma_alone", Quantity::Cycles, "mma.completion"},
      {"mma_full", Quantity::Cycles, "mma.issue"},
      {"stride_1", Quantity::Cycles, ""},
      {"stride_9", Quantity::Cycles, ""},
      {"stride_33", Quantity::Cycles, "l1.cycles_per_line"},
      {"stride_2", Quantity::Cycles, ""},
      {"stride_8", Quantity::Cycles, ""},
      {"stride_32", Quantity::Cycles, ""},
  };
  return rows;
}

std::vector<Probe> rows_of_probe(const std::string& name) {
  std::vector<Probe> rows;
  std::copy_if(probe_rows().begin(), probe_rows().end(), std::back_inserter(rows),
               [&](const Probe& probe) { return name == probe.name; });
  if (rows.empty()) throw std::logic_error("no probe " + name + " in probes.json");
  return rows;
}

}  // namespace measure
