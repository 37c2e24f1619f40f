#pragma once

#include <string>

#include "warpipe/engine/simulate.hpp"

namespace warpipe {

/// @throws GateError: the simulation with skipping differs from the full simulation
[[noreturn]] void refuse_skipping(const std::string& found);

/// Compares the results of a simulation with skipping and of a full simulation.
/// @throws GateError if they differ
void require_same(const SimulationResult& skipped, const SimulationResult& full);

}  // namespace warpipe
