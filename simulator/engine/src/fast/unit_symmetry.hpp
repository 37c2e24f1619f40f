#pragma once

#include <optional>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/simulate.hpp"

/// Units that do the same as another one are not simulated.
///
/// Units that share no pipeline interact only through the dispatcher, and all start alike. As long as every unit gets
/// its next group before any unit gets the group after that, all do the same, each one dispatch interval d after its
/// neighbour: unit u does what the unit that stands for P units does (rule 8, with an interval of P x d), u x d later.
/// When the groups run out, the first (groups mod P) units have got one group more. So two units stand for all.
///
/// Whether groups reach the units in that order is checked on the simulated unit: its slots must become free more than
/// (P - 1) x d apart.

namespace warpipe {

/// Whether units of the program may do the same, as far as can be told without a simulation.
bool units_may_be_symmetric(const Program& program);

/// Simulates one unit for all units that do the same.
/// @param most  instructions of a unit that may be simulated one by one
/// @return      empty where units differ, or may differ; then all of them must be simulated. Empty, too, where a unit
/// has
///              more instructions than it may
/// @throws ModelError where a time does not fit 64 bits
std::optional<SimulationResult> simulate_symmetric_units(const Program& program, bool skipping, std::int64_t most);

}  // namespace warpipe
