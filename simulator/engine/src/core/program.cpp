#include "warpipe/engine/program.hpp"

namespace warpipe {

std::vector<std::int64_t> warps_of_streams(const Program& program) {
  std::vector<std::int64_t> warps(program.streams.size(), 0);
  const std::vector<std::int64_t> groups = program.order.counts(program.kinds.size(), program.machine.groups);
  for (std::size_t kind = 0; kind < groups.size(); ++kind)
    for (const std::uint32_t stream : program.kinds[kind]) warps[stream] += groups[kind];
  return warps;
}

std::int64_t instances(const Machine& machine, Scope scope) {
  switch (scope) {
    case Scope::ComputeUnit:
      return machine.units;
    case Scope::Scheduler:
      return machine.units * schedulers_per_unit(machine);
    case Scope::Device:
      break;
  }
  return 1;
}

}  // namespace warpipe
