#pragma once

#include <optional>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/run.hpp"

namespace warpipe {

/// Whether units of the program may do the same, as far as can be told without playing it.
bool may_be_equal(const Program& program);

/// Plays each kind of unit once, where units provably do the same.
///
/// Units that share no pipeline meet only where groups are handed out, and all start alike. As long as every unit gets
/// its next group before any gets the one after that, all do the same, each one dispatch interval d after its
/// neighbour: unit u is the unit that stands for P (rule 8 of the model, interval P x d), moved by u x d. When the
/// groups run out, the first (groups mod P) units have got one group more. So two units stand for all.
///
/// Whether groups reach the units in that order is checked on the played unit: its slots must become free more than
/// (P - 1) x d apart.
/// @return  nothing where units differ, or may differ; then all must be played
/// @throws ModelError where a time does not fit 64 bits
std::optional<RunResult> run_equal_units(const Program& program, bool leap);

}  // namespace warpipe
