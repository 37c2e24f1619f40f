#include "caches/reference_steps.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "warpipe/idg/op.hpp"
#include "warpipe/idg/place.hpp"

namespace warpipe {
namespace {

using Number = std::int64_t;
using Step = ReferenceStep;

Number round_up(Number a, Number b) { return (a + b - 1) / b * b; }

class Walk {
 public:
  Walk(const Kernel& kernel, const Device& device, const CacheLaunch& launch, Number group, Number warp, Number frame)
      : kernel_(kernel), device_(device), launch_(launch), group_(group), warp_(warp), frame_(frame) {
    Values of_launch = launch.values;
    of_launch["groups"] = static_cast<double>(launch.groups);
    shape_ = launch_shape(kernel, of_launch);
    values_ = body_values(kernel, launch.values, kernel.kinds ? kind(of_launch) : 0, warp);
    set_group(values_, shape_, group);
    walk(kernel.body);
    drop_waits();
  }

  std::vector<Step> steps;

 private:
  Number kind(Values of_launch) const {
    of_launch["group"] = static_cast<double>(group_);
    if (const auto* expression = std::get_if<Expression>(&kernel_.kinds->of_group))
      return expression->evaluate_whole(of_launch, 0);
    std::vector<Number> kinds;
    for (const GroupKinds::Run& run : std::get<std::vector<GroupKinds::Run>>(kernel_.kinds->of_group))
      kinds.insert(kinds.end(), static_cast<std::size_t>(run.groups), run.kind);
    return kinds[static_cast<std::size_t>(group_) % kinds.size()];
  }

  void walk(const std::vector<Item>& items) {
    for (const Item& item : items) {
      if (const auto* instruction = std::get_if<std::size_t>(&item.node)) {
        execute(*instruction);
      } else if (const auto* loop = std::get_if<Loop>(&item.node)) {
        walk_loop(*loop);
      } else if (const When& when = std::get<When>(item.node); when.condition.evaluate(values_) != 0) {
        walk(when.body);
      }
    }
  }

  /// "All barriers of a loop in which a warp makes no access are one."
  void walk_loop(const Loop& loop) {
    const std::size_t first = steps.size();
    const Number trips = loop.trip_count.evaluate_whole(values_, 0);
    for (Number trip = 0; trip < trips; ++trip) {
      values_[loop.name] = static_cast<double>(trip);
      walk(loop.body);
    }
    values_.erase(loop.name);
    const auto begin = steps.begin() + static_cast<std::ptrdiff_t>(std::min(first, steps.size()));
    if (std::any_of(begin, steps.end(), [](const Step& step) { return step.kind == Step::Access; })) return;
    const auto barrier = std::find_if(begin, steps.end(), [](const Step& step) { return step.kind == Step::Barrier; });
    if (barrier != steps.end()) steps.erase(barrier + 1, steps.end());
  }

  void execute(std::size_t index) {
    const Instruction& instruction = kernel_.instructions[index];
    if (instruction.awaits && last_access_) steps.push_back({Step::Wait, index, {}, 0, *last_access_});
    for (const Dependence& dependence : instruction.after) {
      const std::vector<std::size_t>& executions = executions_[dependence.producer];
      const auto back = static_cast<std::size_t>(dependence.back.evaluate_whole(values_, 1));
      if (dependence.latency || back > executions.size()) continue;
      if (access_kind(kernel_.instructions[dependence.producer].op) == AccessKind::Store) continue;
      steps.push_back({Step::Wait, index, {}, 0, executions[executions.size() - back]});
    }
    const Op* const row = device_.find_op(instruction.op);
    if (row ? row->barrier : class_of(instruction.op) == OpClass::Barrier) {
      drop_waits();
      steps.push_back({Step::Barrier, index});
    }
    if (!has_addresses(instruction)) return;
    const auto execution = static_cast<Number>(executions_[index].size());
    const double transactions = instruction.transactions ? instruction.transactions->evaluate(values_) : 0;
    steps.push_back({Step::Access, index, bytes_of(instruction, execution), transactions});
    last_access_ = steps.size() - 1;
    executions_[index].push_back(*last_access_);
  }

  /// "A warp waits there as soon as the access before the barrier is made", and ends as soon as its last access is.
  void drop_waits() {
    while (!steps.empty() && steps.back().kind == Step::Wait) steps.pop_back();
  }

  std::vector<Number> bytes_of(const Instruction& instruction, Number execution) {
    const AccessPattern& access = *instruction.access;
    const Number width = access.width_bytes.evaluate_whole(values_, 1);
    const LaunchShape::Array& array = shape_.arrays[reference_array(access)];
    std::set<Number> bytes;
    for (Number lane = 0; lane < device_.warp_size; ++lane) {
      const Number thread = warp_ * device_.warp_size + lane;
      if (thread >= static_cast<Number>(launch_.values.at("group_size"))) break;
      const Number address = address_of(access, array, execution, thread, lane);
      if (!is_inside(array, address)) continue;
      for (Number byte = address; byte < address + width; ++byte)
        bytes.insert(place_of(reference_array(access), byte, lane));
    }
    return {bytes.begin(), bytes.end()};
  }

  Number address_of(const AccessPattern& access, const LaunchShape::Array& array, Number execution, Number thread,
                    Number lane) {
    set_thread(values_, shape_, thread, lane);
    if (const auto* addressed = std::get_if<AccessPattern::Addressed>(&access.lanes))
      return addressed->address.evaluate_whole(values_, -kLargestWhole);
    const auto& sampled = std::get<AccessPattern::Sampled>(access.lanes);
    const Number warp = group_ * static_cast<Number>(launch_.values.at("warps")) + warp_;
    const Number address = sampled_addresses(sampled, warp, execution)[static_cast<std::size_t>(lane)];
    if (!is_inside(array, address)) return address;
    return (address + sampled_shift(sampled, warp, execution, array.bytes)) % array.bytes;
  }

  Number frame_bytes(const LaunchShape::Array& array) const {
    return round_up(round_up(array.bytes, 4) * device_.warp_size, reference_longest_line(device_));
  }

  Number place_of(std::size_t index, Number byte, Number lane) const {
    const Number frames = device_.compute_units * launch_.slots * static_cast<Number>(launch_.values.at("warps"));
    Number start = 0;
    for (std::size_t i = 0; i < index; ++i) {
      const LaunchShape::Array& array = shape_.arrays[i];
      start = round_up(start + (array.thread_private ? frames * frame_bytes(array) : array.bytes), 4096);
    }
    const LaunchShape::Array& array = shape_.arrays[index];
    if (!array.thread_private) return start + byte;
    return start + frame_ * frame_bytes(array) + (byte / 4 * device_.warp_size + lane) * 4 + byte % 4;
  }

  const Kernel& kernel_;
  const Device& device_;
  const CacheLaunch& launch_;
  Number group_, warp_, frame_;
  LaunchShape shape_;
  Values values_;
  std::map<std::size_t, std::vector<std::size_t>> executions_;  ///< by instruction: their steps
  std::optional<std::size_t> last_access_;                      ///< the latest step of any
};

}  // namespace

std::vector<ReferenceStep> reference_steps(const Kernel& kernel, const Device& device, const CacheLaunch& launch,
                                           Number group, Number warp, Number frame) {
  return Walk(kernel, device, launch, group, warp, frame).steps;
}

std::size_t reference_array(const AccessPattern& access) {
  if (const auto* sampled = std::get_if<AccessPattern::Sampled>(&access.lanes)) return sampled->array;
  return std::get<AccessPattern::Addressed>(access.lanes).array;
}

Number reference_longest_line(const Device& device) {
  const auto longest = std::ranges::max(device.memory->levels, {}, &MemoryLevel::line_bytes);
  return std::max<Number>(32, longest.line_bytes);
}

}  // namespace warpipe
