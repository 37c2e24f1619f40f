#pragma once

#include <cstdint>

#include "warpipe/engine/program.hpp"

/// How far one chooser may go ahead of the others of its unit, and one unit ahead of the others. What it issues to
/// pipelines that are its own touches nobody else, so it need not be played in the order of time: it may go on until
/// something from outside could reach its own warps. Only a barrier that opens and a group that is placed do that, and
/// both come a known time after the issue that causes them; a barrier stays within its unit.

namespace warpipe {

/// Whether an issue through that issue port is the business of one chooser (Scope::Scheduler) or unit
/// (Scope::ComputeUnit) alone: nobody else takes, or is held back by, anything that it takes. Also, the chooser is not
/// free again at the same time: for who comes next at that time, after this issue, does concern the others.
bool is_own(const Program& program, std::uint32_t issue_port, Scope scope);

/// @return from the issue of a warp's last step to the placement of the next group in its warp slot, at least
std::int64_t until_next_group(const InstructionStream& stream, const Machine& machine);

/// The shortest times from an issue to what it may cause elsewhere, at most 100 cycles.
struct Lookahead {
  std::int64_t of_chooser = 0;  ///< at another chooser of the unit
  std::int64_t of_unit = 0;     ///< at another unit; 0 where a barrier may open at once
};
Lookahead lookahead(const Program& program);

}  // namespace warpipe
