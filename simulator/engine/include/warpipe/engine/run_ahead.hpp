#pragma once

#include <cstdint>

#include "warpipe/engine/program.hpp"

/// How far one chooser may go ahead of the others. What it issues to pipelines that are its own touches nobody else, so
/// it need not be played in the order of time: it may go on until something from outside could reach its own warps.
/// Only a barrier that opens and a group that is placed do that, and both come a known time after the issue that causes
/// them.

namespace warpipe {

/// Whether nobody but its chooser takes, or is held back by, anything that an issue through that gate takes, and the
/// chooser is not free again at the same time: for who comes after whom at one time, after an issue at that time, does
/// concern the others.
bool is_private(const Program& program, std::uint32_t gate);

/// @return from the issue of a warp's last step to the placement of the next group in its place, at least
std::int64_t until_next_group(const Stream& stream, const Machine& machine);

/// @return the shortest time from an issue to what it may cause at another chooser; kForever where it can cause nothing
std::int64_t lookahead(const Program& program);

}  // namespace warpipe
