#include "warpipe/predict/instruction_latencies.hpp"

#include <cstddef>
#include <optional>

#include "executions.hpp"
#include "warpipe/idg/error.hpp"
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

std::vector<InstructionLatency> instruction_latencies(const SettledLaunch& settled, const Program& program) {
  const Kernel& kernel = settled.kernel;
  const auto latency_of = [&](std::size_t index, const Values& values) {
    const BoundInstruction bound = bind_latencies(kernel.instructions[index], settled.device, values,
                                                  settled.launch.resident_warps, settled.launch.shape);
    return InstructionLatency{to_cycles(bound.issue), mean_completion(bound), bound.retires_at_issue};
  };
  std::vector<std::optional<InstructionLatency>> found(kernel.instructions.size());
  for_each_execution(settled, program, [&](std::size_t index, double, const Values& values) {
    if (!found[index]) found[index] = latency_of(index, values);
  });
  const Values values_of_first = body_values(kernel, settled.launch.values);
  std::vector<InstructionLatency> result;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) try {
        found[i] = latency_of(i, values_of_first);
      } catch (const ModelError&) {
      }
    result.push_back(found[i].value_or(InstructionLatency{}));
  }
  return result;
}

}  // namespace warpipe
