#pragma once

#include <string>

#include "warpipe/engine/simulate.hpp"

namespace warpipe {

/// @throws GateError: a simulation that skips differs from one that does not
[[noreturn]] void refuse_skipping(const std::string& found);

/// Compares the results of a simulation that skips and of one that does not.
/// @throws GateError where they differ
void require_same(const SimulationResult& skipped, const SimulationResult& full);

}  // namespace warpipe
