#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>

#include "warpipe/idg/kernel.hpp"

namespace warpipe::test {

/// The launch of a shipped kernel, on warps of 32 threads.
/// @return the parameters' defaults, group_size, warps and groups
inline Values launch_values(const Kernel& kernel) {
  Values values(kernel.parameters.begin(), kernel.parameters.end());
  const auto group_size = kernel.launch.group_size.value().evaluate_whole(values, 1);
  values["group_size"] = static_cast<double>(group_size);
  values["warps"] = std::ceil(static_cast<double>(group_size) / 32);
  values["groups"] = static_cast<double>(kernel.launch.groups.value().evaluate_whole(values, 1));
  return values;
}

/// Visits each instruction executed by a warp (rule 3 of the model), once with the number of its executions.
/// @param values  all values seen by a body
/// @param times   executions of `body`
inline void walk(const Kernel& kernel, const std::vector<Item>& body, const Values& values, double times,
                 const std::function<void(const Instruction&, double)>& visit) {
  for (const Item& item : body) {
    if (const auto* index = std::get_if<std::size_t>(&item.node)) {
      visit(kernel.instructions.at(*index), times);
    } else if (const auto* loop = std::get_if<Loop>(&item.node)) {
      const double trips = static_cast<double>(loop->trip_count.evaluate_whole(values, 0));
      if (trips > 0) walk(kernel, loop->body, values, times * trips, visit);
    } else {
      const When& when = std::get<When>(item.node);
      if (when.condition.evaluate(values) != 0) walk(kernel, when.body, values, times, visit);
    }
  }
}

/// How often the warps of a group execute each op, all warps together.
/// @param values  the parameters, group_size and warps
/// @param kind    of the group
inline std::map<std::string, double> executions(const Kernel& kernel, const Values& values, std::int64_t kind = 0) {
  std::map<std::string, double> counts;
  const auto warps = static_cast<std::int64_t>(values.at("warps"));
  for (std::int64_t warp = 0; warp < warps; ++warp) {
    walk(kernel, kernel.body, body_values(kernel, values, kind, warp), 1,
         [&](const Instruction& instruction, double times) { counts[instruction.op] += times; });
  }
  return counts;
}

}  // namespace warpipe::test
