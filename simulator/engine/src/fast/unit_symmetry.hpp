#pragma once

#include <optional>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/simulate.hpp"

/// Simulates one or two units for all units that do the same.
///
/// Units that share no pipeline interact only through the dispatcher, and all start alike. As long as every unit gets
/// its next group before any unit gets the group after, all do the same, each a dispatch interval d after its
/// neighbour: unit u does the same as the unit representing P units (rule 8, with an interval of P x d), u x d later.
/// When the groups run out, the first (groups mod P) units have got a further group. So two units represent all.
///
/// The simulated unit shows whether groups reach the units in this order: its slots must become free more than (P - 1)
/// x d apart.

namespace warpipe {

/// Whether units of the program may do the same, as far as known without a simulation.
bool units_may_be_symmetric(const Program& program);

/// Simulates one unit for all units that do the same.
/// @param most  instructions of a unit that may be simulated individually
/// @return      empty if units differ, or may differ; then all of them must be simulated. Empty, too, for a unit with
///              more instructions than `most`
/// @throws ModelError for a time above 64 bits
std::optional<SimulationResult> simulate_symmetric_units(const Program& program, bool skipping, std::int64_t most);

}  // namespace warpipe
