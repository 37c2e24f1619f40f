#include "warpipe/predict/instruction_latencies.hpp"

#include "warpipe/latency_tables/bind_latencies.hpp"

namespace warpipe {
namespace {

Cycles mean_completion(const BoundInstruction& bound) {
  if (bound.services.empty()) return to_cycles(bound.completion);
  double sum = 0, positions = 0;
  for (const BoundService& service : bound.services) {
    sum += static_cast<double>(service.positions) * to_cycles(service.completion).count;
    positions += static_cast<double>(service.positions);
  }
  return Cycles{sum / positions};
}

}  // namespace

std::vector<InstructionLatency> instruction_latencies(const SettledLaunch& settled) {
  const auto& [kernel, device, options, launch, levels, filled] = settled;
  const auto values = body_values(kernel, launch.values);
  std::vector<InstructionLatency> result;
  for (const auto& instruction : kernel.instructions) {
    const auto bound = bind_latencies(instruction, device, values, launch.resident_warps, launch.shape);
    result.push_back({to_cycles(bound.issue), mean_completion(bound), bound.retires_at_issue});
  }
  return result;
}

}  // namespace warpipe
