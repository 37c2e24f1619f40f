#pragma once

#include <cstdint>

#include "core/warp.hpp"
#include "warpipe/engine/program.hpp"

/// Rule 5, which level serves an execution: the levels take turns, and a warp keeps its turn of each step with services
/// in a cell of its scoreboard.

namespace warpipe {

/// A warp's turns before its first step.
inline void start_rotations(Warp& warp) {
  for (const Rotation& rotation : warp.stream->rotations)
    warp.cells[rotation.cell] = warp.order & (rotation.period - 1);
}

/// The rotation of a step with services.
inline const Rotation& rotation_of(const InstructionStream& stream, const Step& step) {
  return stream.rotations[step.stages.begin];
}

/// The service of the warp's next execution in a rotation, as an index into InstructionStream::services.
/// @param back  of an earlier execution: 1 for the execution before the next, and so on
inline std::uint32_t service_in_turn(const Warp& warp, const Rotation& rotation, std::uint32_t back = 0) {
  const auto turn = static_cast<std::uint32_t>(warp.cells[rotation.cell]) - back;
  return rotation.services.begin + rotation.service_of_turn[turn & (rotation.period - 1)];
}

/// Moves a warp's turn on by an execution.
inline void take_turn(Warp& warp, const Rotation& rotation) {
  std::int64_t& turn = warp.cells[rotation.cell];
  turn = (turn + 1) & (rotation.period - 1);
}

/// Passes a warp's turns to a visitor of the state (fast/state_visitors.hpp).
template <class Visitor>
void visit_rotations(const Warp& warp, Visitor& visitor) {
  for (const Rotation& rotation : warp.stream->rotations) visitor.value(warp.cells[rotation.cell]);
}

}  // namespace warpipe
