#include "fast/unit_symmetry.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/run_policy.hpp"
#include "core/time.hpp"
#include "fast/lookahead.hpp"
#include "observers/observer.hpp"
#include "warpipe/engine/simulated.hpp"

namespace warpipe {
namespace {

/// Checks the order and the distance in which a unit's slots become free: no slot free for the unit's next group may
/// come before a slot of a neighbour still waiting for this one.
class PlacementOrderCheck : public NoObserver {
 public:
  /// @param spread  delay of the last unit behind the first
  PlacementOrderCheck(const Machine& machine, std::int64_t spread)
      : launch_latency_(machine.group_launch_latency.count),
        spread_(spread),
        free_(static_cast<std::size_t>(machine.group_slots), 0) {}

  void on_group_placed(const GroupPlacedEvent& placed) {
    std::int64_t& free = free_[static_cast<std::size_t>(placed.slot)];
    check(free);
    latest_ = std::exchange(free, kForever);
  }

  void on_group_ended(const GroupEndedEvent& ended) {
    free_[static_cast<std::size_t>(ended.slot)] = time_sum(ended.time, launch_latency_);
  }

  /// To be called once, at the end.
  bool passes() {
    check(std::ranges::min(free_));
    return passes_;
  }

 private:
  /// At time 0 all slots of all units are free, and slots with smaller numbers come first.
  void check(std::int64_t free) {
    const bool is_behind_first_wave = latest_ == 0;
    const bool is_apart = is_behind_first_wave || spread_ == 0 ? free >= latest_ : free - latest_ > spread_;
    passes_ = passes_ && is_apart;
  }

  std::int64_t launch_latency_, spread_;
  std::vector<std::int64_t> free_;  ///< by slot: since when; kForever with a group in it
  std::int64_t latest_ = 0;         ///< since when the slot of the latest group had been free
  bool passes_ = true;
};

bool units_share_a_pipeline(const Program& program) {
  const auto is_shared = [&](std::uint32_t pipeline) {
    return program.machine.pipelines[pipeline].scope == Scope::Device;
  };
  return std::ranges::any_of(program.streams, [&](const InstructionStream& stream) {
    return std::ranges::any_of(stream.steps, [&](const Step& step) { return is_shared(step.pipeline); }) ||
           std::ranges::any_of(stream.stages, [&](const Stage& stage) { return is_shared(stage.pipeline); });
  });
}

/// A group ending at its placement would let its unit have a further group before its neighbour has one.
bool groups_take_time(const Program& program) {
  return std::ranges::all_of(program.streams, [&](const InstructionStream& stream) {
    return !stream.steps.empty() && time_to_next_group(stream, program.machine) > 0;
  });
}

/// A unit with this many groups, dispatched as to the first of all units.
Program one_unit(const Program& program, std::int64_t groups) {
  Program one = program;
  one.machine.units = 1;
  one.machine.groups = groups;
  one.machine.group_dispatch_interval =
      checked_multiply(program.machine.group_dispatch_interval, program.machine.units);
  return one;
}

}  // namespace

bool units_may_be_symmetric(const Program& program) {
  const bool groups_are_alike = program.kinds.size() == 1 && longest_period(program) == 1;
  return program.machine.units > 1 && groups_are_alike && !units_share_a_pipeline(program) && groups_take_time(program);
}

std::optional<SimulationResult> simulate_symmetric_units(const Program& program, bool skipping, std::int64_t most) {
  if (!units_may_be_symmetric(program)) return std::nullopt;
  const Machine& machine = program.machine;
  SimulationResult all;
  std::int64_t one_by_one = 0;
  const auto add_units = [&](std::int64_t groups, std::int64_t units, std::int64_t last) {
    if (groups == 0 || units == 0) return true;
    PlacementOrderCheck order(machine, checked_multiply(machine.group_dispatch_interval, machine.units - 1).count);
    const Program one = one_unit(program, groups);
    const auto unit = begin_run(one, order, skipping)->up_to(most);
    if (!unit) return false;
    const Ticks behind = checked_multiply(machine.group_dispatch_interval, last);
    all.cycles = std::max(all.cycles, checked_add(unit->cycles, behind));
    all.issued = time_sum(all.issued, checked_multiply(Ticks{unit->issued}, units).count);
    one_by_one += unit->issued - unit->skipped;
    return order.passes();
  };
  const std::int64_t groups = machine.groups / machine.units;
  const std::int64_t with_more = machine.groups % machine.units;
  if (!add_units(groups + 1, with_more, with_more - 1)) return std::nullopt;
  if (!add_units(groups, machine.units - with_more, machine.units - 1)) return std::nullopt;
  all.skipped = all.issued - one_by_one;
  return all;
}

std::int64_t units_to_simulate(const Program& program, Skipping skipping) {
  const Machine& machine = program.machine;
  if (skipping == Skipping::Off || !units_may_be_symmetric(program)) return machine.units;
  return machine.groups < machine.units || machine.groups % machine.units == 0 ? 1 : 2;
}

}  // namespace warpipe
