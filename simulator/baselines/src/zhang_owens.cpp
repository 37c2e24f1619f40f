#include "warpipe/baselines/zhang_owens.hpp"

#include <algorithm>
#include <cassert>

namespace warpipe {

Cycles component_interval(const Component& component, double warps) {
  assert(warps > 0);
  double cycles = 0;
  for (const ChainedInstructions& chained : component.instructions)
    cycles += chained.executions * std::max(chained.interval.count, chained.latency.count / warps);
  return {cycles};
}

ZhangOwensResult zhang_owens(std::span<const Component> components, double warps) {
  assert(!components.empty());
  ZhangOwensResult result{{}, components.front().name};
  for (const Component& component : components) {
    const Cycles interval = component_interval(component, warps);
    if (interval <= result.of_warp) continue;
    result = {interval, component.name};
  }
  return result;
}

}  // namespace warpipe
