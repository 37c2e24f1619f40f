#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/predict/lower.hpp"

namespace warpipe {

/// Calls visit(instruction, count, values) for the instructions of every stream of a launch's program, stream by
/// stream, each in program order: with the executions of the instruction by all warps of the launch on the stream, and
/// with the values of its expressions there. Instructions executed by no warp are not visited.
template <class Visit>
void for_each_execution(const SettledLaunch& settled, const Program& program, const Visit& visit) {
  const auto groups = static_cast<double>(settled.launch.groups.value);
  const auto simulated = static_cast<double>(program.machine.groups);
  const std::vector<std::int64_t> warps = warps_of_streams(program);
  for (std::size_t i = 0; i < warps.size(); ++i) {
    const InstructionStream& stream = program.streams[i];
    const Values values = body_values(settled.kernel, settled.launch.values, stream.first_kind, stream.first_warp);
    for (std::size_t step = 0; step < stream.steps.size(); ++step)
      visit(std::size_t{stream.instructions[step]},
            static_cast<double>(warps[i]) * static_cast<double>(stream.runs[step]) * groups / simulated, values);
  }
}

}  // namespace warpipe
