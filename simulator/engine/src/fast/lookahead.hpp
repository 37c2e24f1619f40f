#pragma once

#include <cstdint>

#include "warpipe/engine/program.hpp"

/// The distance that a scheduler may issue ahead of its unit's schedulers, and a unit ahead of all units, without a
/// change of the result. Issues to pipelines private to a scheduler affect no other scheduler, so they need not be
/// simulated in the order of time: the scheduler may go on until an event elsewhere could reach its own warps. Only the
/// opening of a barrier and the placement of a group do. Both come a known time after the causing issue, and a barrier
/// stays within its unit.

namespace warpipe {

/// Whether an issue through this port uses only resources private to one scheduler (Scope::Scheduler) or one unit
/// (Scope::ComputeUnit), and keeps its scheduler busy for at least a tick. Otherwise the order of issues within the
/// tick matters elsewhere.
bool is_private(const Program& program, std::uint32_t issue_port, Scope scope);

/// @return the least time from the issue of a warp's last step to the placement of the next group in its slot
std::int64_t time_to_next_group(const InstructionStream& stream, const Machine& machine);

/// The shortest times from an issue to its effects elsewhere, at most 100 cycles.
struct Lookahead {
  std::int64_t across_schedulers = 0;  ///< at another scheduler of the unit
  std::int64_t across_units = 0;       ///< at another unit; 0 if a barrier may open at once
};
Lookahead lookahead(const Program& program);

}  // namespace warpipe
