#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/simulate.hpp"

/// Runs within a tolerance: the time of a long launch from runs of shorter launches.

namespace warpipe {

struct LoweredLaunch;

/// A run of a program, exact or extended from runs of shorter programs.
struct RunWithin {
  /// The sizes of the shorter runs: waves of the runs, and trips of the shortest; 0 for a size that was not shortened.
  struct Sizes {
    std::int64_t waves = 0, trips = 0;
    std::int64_t units = 0;  ///< of the longest run; 0: all
  };

  SimulationResult result;  ///< of an extended run, `issued` counts the whole program, and cycles have five digits
  double off = 0;           ///< how far the cycles may be off, a fraction of them; 0: they are exact
  Sizes sizes{};            ///< of an extended run
};

inline bool is_extended(const RunWithin& run) { return run.off > 0; }

/// The tolerance of times where the user gives none: far below the uncertainty of a device's numbers.
inline constexpr double kUsualTolerance = 0.005;
/// The tolerance of times that are to be ranked: a third of the error of the model below which times are ties.
inline constexpr double kToleranceOfRanking = 0.01;

/// Instructions: a run of no more is exact. It takes a hundredth of a second, too short to save anything.
inline constexpr std::int64_t kShortRun = 1 << 17;

/// The largest share of a program's instructions in shorter runs; beyond it they are given up.
inline constexpr double kMostOfExtension = 0.6;

/// Whether shorter runs are tried in place of a program.
bool may_be_extended(const Program& program, double tolerance, Skipping skipping);

/// Extends runs with fewer waves of groups, and fewer trips of the loop that issues most, to the time of the whole
/// program. Growth counts as even unless the runs show otherwise; longer runs are tried if it is uneven. Of several
/// units one is simulated, and a few for a short while, if these take as long. The time is never below the bound.
/// @param bound      the highest of the program's lower bounds
/// @param tolerance  of the cycles, a fraction of them; above 0
/// @param least      least sizes of the runs, from the extended run of another program, for a comparison of both times:
///                   their errors are then much the same
/// @param whole      of the program, on one unit: it goes on beside shorter runs that tell too little, and may come
///                   to a period or to its end first
/// @return           nothing where no shorter run tells enough, and for a few units
/// @throws ModelError as simulate
std::optional<RunWithin> extended_run(const Program& program, Ticks bound, double tolerance,
                                      const std::optional<RunWithin::Sizes>& least = {},
                                      ResumableSimulation* whole = nullptr);

/// A shorter program, perhaps of fewer units, and its weight: the time of a unit of the whole program is the sum of the
/// weighted times of a unit of each part. A weight may be negative.
struct PartOfRun {
  Program program;
  double times = 1;
};

/// The shorter programs of an extended run, for results other than cycles.
/// @param run  of the program, extended
std::vector<PartOfRun> parts_of(const Program& program, const RunWithin& run);

/// Finds the time of a launch within the tolerance of its options, with little simulation: a short run is simulated to
/// its end, a longer run is extended.
/// @return nothing where the whole must be simulated; so with a tolerance of 0, and with Skipping::Verify
/// @throws ModelError as simulate
std::optional<RunWithin> short_run(const LoweredLaunch& launch);

/// As short_run, but simulates the whole where it must.
/// @throws ModelError, GateError as simulate
/// @complexity  at worst about twice that of simulate()
RunWithin run_within(const Program& program, Ticks bound, double tolerance, Skipping skipping);
RunWithin run_within(const LoweredLaunch& launch);
/// @param tolerance  above 0
/// @param whole      of the program, begun or not
RunWithin run_within(const Program& program, Ticks bound, double tolerance, ResumableSimulation& whole);

}  // namespace warpipe
