#pragma once

#include <cstddef>
#include <cstdint>

#include "warpipe/engine/program.hpp"

namespace warpipe {

/// The places of warps (rules 5 and 8): each unit has group slots, each group slot has a warp slot for every warp of
/// its group, and each warp slot belongs to one scheduler of its unit. Group slots, warp slots and schedulers are
/// numbered over all units. A unit without schedulers counts as one scheduler, always free.
struct Layout {
  explicit Layout(const Program& program)
      : units(static_cast<std::size_t>(program.machine.units)),
        group_slots_per_unit(static_cast<std::size_t>(program.machine.group_slots)),
        warps_per_group(warpipe::warps_per_group(program)),
        schedulers_per_unit(static_cast<std::size_t>(warpipe::schedulers_per_unit(program.machine))) {}

  std::size_t group_slots() const { return units * group_slots_per_unit; }
  std::size_t warp_slots() const { return units * warp_slots_per_unit(); }
  std::size_t warp_slots_per_unit() const { return group_slots_per_unit * warps_per_group; }
  std::size_t schedulers() const { return units * schedulers_per_unit; }

  /// @param slot  of the unit
  std::size_t group_slot(std::int64_t unit, std::int64_t slot) const {
    return static_cast<std::size_t>(unit) * group_slots_per_unit + static_cast<std::size_t>(slot);
  }
  std::size_t unit_of_group_slot(std::size_t group_slot) const { return group_slot / group_slots_per_unit; }
  /// @return the number of the slot on its unit
  std::size_t slot_of_unit(std::size_t group_slot) const { return group_slot % group_slots_per_unit; }

  std::size_t warp_slot(std::size_t group_slot, std::size_t warp) const { return group_slot * warps_per_group + warp; }
  std::size_t group_slot_of(std::size_t warp_slot) const { return warp_slot / warps_per_group; }
  std::size_t warp_of_group(std::size_t warp_slot) const { return warp_slot % warps_per_group; }
  std::size_t unit_of(std::size_t warp_slot) const { return warp_slot / warp_slots_per_unit(); }
  /// @return the number of the warp slot on its unit
  std::size_t index_on_unit(std::size_t warp_slot) const { return warp_slot % warp_slots_per_unit(); }
  /// Warp w in slot s of a unit belongs to the unit's scheduler (s x warps per group + w) mod schedulers.
  std::size_t scheduler_of(std::size_t warp_slot) const {
    return first_scheduler(unit_of(warp_slot)) + index_on_unit(warp_slot) % schedulers_per_unit;
  }

  std::size_t first_scheduler(std::size_t unit) const { return unit * schedulers_per_unit; }
  std::size_t unit_of_scheduler(std::size_t scheduler) const { return scheduler / schedulers_per_unit; }

  std::size_t units;
  std::size_t group_slots_per_unit, warps_per_group, schedulers_per_unit;
};

}  // namespace warpipe
