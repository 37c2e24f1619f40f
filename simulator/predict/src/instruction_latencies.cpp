#include "warpipe/predict/instruction_latencies.hpp"

#include "warpipe/latency_tables/bind_latencies.hpp"

namespace warpipe {

std::vector<InstructionLatency> instruction_latencies(const Kernel& kernel, const Device& device,
                                                      const Launch& launch) {
  require_ops(kernel, device);
  const auto values = body_values(kernel, launch.values);
  std::vector<InstructionLatency> result;
  for (const auto& instruction : kernel.instructions) {
    const auto bound = bind_latencies(instruction, device, values, launch.resident_warps, launch.shape);
    result.push_back({to_cycles(bound.issue), to_cycles(bound.completion), bound.retires_at_issue});
  }
  return result;
}

}  // namespace warpipe
