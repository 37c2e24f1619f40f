#include "warpipe/baselines/gpuperf.hpp"

#include <algorithm>
#include <cassert>

namespace warpipe {
namespace {

double mean_dram_latency(const GpuPerfInput& input) {
  return input.memory_latency.count + (input.transactions - 1) * input.departure.count;
}

/// @source equations (2) to (9)
Cycles serial_part(const GpuPerfInput& input) {
  const double warps_of_unit = input.warps / input.active_units;
  const double sync_visible = input.sync_factor * mean_dram_latency(input) * input.loads / input.instructions;
  const double sync = input.barriers * input.groups / input.active_units * sync_visible;
  double special = 0;
  if (input.special_functions > 0) {
    const double share = input.special_functions / input.instructions;
    const double visible = std::clamp(share - input.issue_cycles.count / input.special_issue_cycles.count, 0.0, 1.0);
    special = input.special_functions * warps_of_unit * input.special_issue_cycles.count * visible;
  }
  return {sync + special + input.bank_conflicts.count * warps_of_unit};
}

/// @source equations (10) to (14) and (A.1) to (A.7)
void add_memory(const GpuPerfInput& input, GpuPerfResult& result) {
  const double dram = mean_dram_latency(input);
  const double access = dram * input.miss_ratio + input.hit_latency.count;  // AMAT
  const double bytes_per_second = input.clock.count * input.bytes_per_transaction / dram;
  const double peak = input.bandwidth.count / (bytes_per_second * input.active_units);
  const double computation = input.instructions * input.instruction_latency.count / result.itilp;
  const double memory = input.loads * access / input.memory_parallelism;
  result.cwp = std::min((memory + computation) / computation, input.resident_warps);
  result.mwp = std::min({dram / input.departure.count, peak, input.resident_warps});
  result.itmlp = std::min(input.memory_parallelism * std::min(std::max(1.0, result.cwp - 1), result.mwp), peak);
  result.memory.count = input.loads * input.warps / (input.active_units * result.itmlp) * access;
}

}  // namespace

GpuPerfResult gpuperf(const GpuPerfInput& input) {
  assert(input.instructions > 0);
  GpuPerfResult result;
  result.itilp = std::min(input.instruction_parallelism * input.resident_warps,
                          input.instruction_latency.count / input.issue_cycles.count);
  result.parallel.count =
      input.instructions * input.warps / input.active_units * input.instruction_latency.count / result.itilp;
  result.serial = serial_part(input);
  result.computation.count = result.parallel.count + result.serial.count;
  if (input.loads > 0) {
    add_memory(input, result);
    const double zeta = result.cwp <= result.mwp ? 1 : 0;
    const double overlapped = (input.resident_warps - zeta) / input.resident_warps;
    result.overlap.count = std::min(result.computation.count * overlapped, result.memory.count);
  }
  result.total.count = result.computation.count + result.memory.count - result.overlap.count;
  return result;
}

}  // namespace warpipe
