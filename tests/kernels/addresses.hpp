#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/idg/place.hpp"

namespace warpipe::test {

/// An execution of an access with an address, by a warp of 32 lanes.
struct Execution {
  const Instruction& instruction;
  std::size_t array;                    ///< index into Kernel::arrays
  std::int64_t width;                   ///< bytes per lane
  std::vector<std::int64_t> addresses;  ///< of active lanes
};

/// Visits the executions of accesses with addresses.
class Executions {
 public:
  /// @param values      the parameters, group_size, warps and groups
  /// @param every_trip  else the first and the last trip of each loop
  Executions(const Kernel& kernel, const Values& values, bool every_trip)
      : kernel_(kernel), values_(values), shape_(launch_shape(kernel, values)), every_trip_(every_trip) {}

  void visit(std::int64_t group, std::int64_t warp, const std::function<void(const Execution&)>& visitor) const {
    Values seen = values_;
    seen.erase("groups");
    seen = body_values(kernel_, seen, kind(group), warp);
    set_group(seen, shape_, group);
    walk(kernel_.body, seen, warp, visitor);
  }

  const LaunchShape& shape() const { return shape_; }

 private:
  std::int64_t kind(std::int64_t group) const {
    if (!kernel_.kinds) return 0;
    Values values = values_;
    values["group"] = static_cast<double>(group);
    return std::get<Expression>(kernel_.kinds->of_group).evaluate_whole(values, 0);
  }

  void walk(const std::vector<Item>& items, Values& seen, std::int64_t warp,
            const std::function<void(const Execution&)>& visitor) const {
    for (const Item& item : items) {
      if (const auto* index = std::get_if<std::size_t>(&item.node)) {
        execute(kernel_.instructions[*index], seen, warp, visitor);
      } else if (const auto* loop = std::get_if<Loop>(&item.node)) {
        const std::int64_t trips = loop->trip_count.evaluate_whole(seen, 0);
        const std::int64_t step = every_trip_ ? 1 : std::max<std::int64_t>(1, trips - 1);
        for (std::int64_t trip = 0; trip < trips; trip += step) {
          seen[loop->name] = static_cast<double>(trip);
          walk(loop->body, seen, warp, visitor);
        }
        seen.erase(loop->name);
      } else if (const When& when = std::get<When>(item.node); when.condition.evaluate(seen) != 0) {
        walk(when.body, seen, warp, visitor);
      }
    }
  }

  void execute(const Instruction& instruction, Values& seen, std::int64_t warp,
               const std::function<void(const Execution&)>& visitor) const {
    if (!instruction.access) return;
    const auto* addressed = std::get_if<AccessPattern::Addressed>(&instruction.access->lanes);
    if (!addressed) return;
    Execution execution{instruction, addressed->array, instruction.access->width_bytes.evaluate_whole(seen, 1), {}};
    const auto threads = static_cast<std::int64_t>(seen.at("group_size"));
    for (std::int64_t lane = 0; lane < std::min<std::int64_t>(32, threads - 32 * warp); ++lane) {
      set_thread(seen, shape_, 32 * warp + lane, lane);
      const std::int64_t address = addressed->address.evaluate_whole(seen, -kLargestWhole);
      if (is_inside(shape_.arrays[addressed->array], address)) execution.addresses.push_back(address);
    }
    visitor(execution);
  }

  const Kernel& kernel_;
  Values values_;
  LaunchShape shape_;
  bool every_trip_;
};

/// Distinct aligned segments of 32 bytes touched by an execution.
inline std::size_t sectors(const Execution& execution) {
  std::set<std::int64_t> touched;
  for (const std::int64_t address : execution.addresses)
    for (std::int64_t sector = address / 32; sector <= (address + execution.width - 1) / 32; ++sector)
      touched.insert(sector);
  return touched.size();
}

/// The sectors of each access in its first execution by a warp.
/// @return by the instruction's id
inline std::map<std::string, std::size_t> first_sectors(const Kernel& kernel, const Values& values, std::int64_t group,
                                                        std::int64_t warp) {
  std::map<std::string, std::size_t> first;
  Executions(kernel, values, false).visit(group, warp, [&](const Execution& execution) {
    first.emplace(execution.instruction.id, sectors(execution));
  });
  return first;
}

/// How many bytes of each array the launch touches, apart for loads and for stores.
/// @return by the array's name and ".load" or ".store"
inline std::map<std::string, std::int64_t> bytes_touched(const Kernel& kernel, const Values& values) {
  std::map<std::string, std::vector<bool>> touched;
  const Executions executions(kernel, values, true);
  for (std::int64_t group = 0; group < static_cast<std::int64_t>(values.at("groups")); ++group)
    for (std::int64_t warp = 0; warp < static_cast<std::int64_t>(values.at("warps")); ++warp)
      executions.visit(group, warp, [&](const Execution& execution) {
        const bool is_store = execution.instruction.op.starts_with("global.store");
        auto& bytes = touched[kernel.arrays[execution.array].name + (is_store ? ".store" : ".load")];
        bytes.resize(static_cast<std::size_t>(executions.shape().arrays[execution.array].bytes + 16));
        for (const std::int64_t address : execution.addresses)
          std::fill_n(bytes.begin() + address, execution.width, true);
      });
  std::map<std::string, std::int64_t> counts;
  for (const auto& [name, bytes] : touched) counts[name] = std::ranges::count(bytes, true);
  return counts;
}

}  // namespace warpipe::test
