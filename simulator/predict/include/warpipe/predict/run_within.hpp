#pragma once

#include <optional>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/simulate.hpp"

/// Runs that need not be exact: the time of a long launch from runs of shorter ones.

namespace warpipe {

struct LoweredLaunch;

/// A run of a program, exact or extended from shorter runs.
struct RunWithin {
  SimulationResult result;  ///< of an extended run, `issued` is what the program issues, and cycles have five digits
  double off = 0;           ///< how far the cycles may be off, a fraction of them; 0: they are exact
};

/// Extends runs with fewer waves of groups, and fewer trips of the loop that issues most, to what a program takes:
/// evenly, where three sizes of each agree, or where the time is near the highest bound, and where sizes half as large
/// have told the same. Else larger sizes are tried. A time below the bound never comes out.
/// @param bound      the highest of the program's lower bounds
/// @param tolerance  of the cycles, a fraction of them; above 0
/// @return           nothing where nothing shorter tells enough, and for several units
/// @throws ModelError as simulate
std::optional<RunWithin> extended_run(const Program& program, Ticks bound, double tolerance, Skipping skipping);

/// Finds what a run of a program takes, within a tolerance: what takes no longer than a quarter of a million
/// instructions is simulated to its end, so is what no shorter run tells; else the run is extended.
/// @param tolerance  0: the run is exact
/// @param skipping   Verify: the run is exact
/// @throws ModelError, GateError as simulate
/// @complexity  at worst about twice that of simulate()
RunWithin run_within(const Program& program, Ticks bound, double tolerance, Skipping skipping);

/// Likewise for a launch, with its own bounds and options.
RunWithin run_within(const LoweredLaunch& launch);

}  // namespace warpipe
