#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/simulate.hpp"

/// Runs that need not be exact: the time of a long launch from runs of shorter ones.

namespace warpipe {

struct LoweredLaunch;

/// A run of a program, exact or extended from runs of shorter programs.
struct RunWithin {
  /// How far an extended run was shortened: waves of the runs, and trips of the shortest; 0 of what was not.
  struct Sizes {
    std::int64_t waves = 0, trips = 0;
    std::int64_t units = 0;  ///< of the longest run; 0: all
  };

  SimulationResult result;  ///< of an extended run, `issued` is what the program issues, and cycles have five digits
  double off = 0;           ///< how far the cycles may be off, a fraction of them; 0: they are exact
  Sizes sizes{};            ///< of an extended run
};

inline bool is_extended(const RunWithin& run) { return run.off > 0; }

/// How far times may be off where nothing else is asked for: far below what is known of devices.
inline constexpr double kUsualTolerance = 0.005;

/// Instructions: a run of no more is exact. It takes a hundredth of a second, which nothing would shorten.
inline constexpr std::int64_t kShortRun = 1 << 17;

/// Of the instructions of a program the share that shorter runs may take until they are given up.
inline constexpr double kMostOfExtension = 0.6;

/// Whether shorter runs are tried in place of a program.
bool may_be_extended(const Program& program, double tolerance, Skipping skipping);

/// Extends runs with fewer waves of groups, and fewer trips of the loop that issues most, to what a program takes:
/// evenly, where nothing shows that it does not grow evenly. Else longer ones are tried. Of several units one is
/// simulated, and a few for a short while, if these take as long. A time below the bound never comes out.
/// @param bound      the highest of the program's lower bounds
/// @param tolerance  of the cycles, a fraction of them; above 0
/// @param least      of the runs: those of another program's extended run, for times that are compared with its time;
///                   what they are off by is then much the same
/// @return           nothing where nothing shorter tells enough, and for a few units
/// @throws ModelError as simulate
std::optional<RunWithin> extended_run(const Program& program, Ticks bound, double tolerance,
                                      std::optional<RunWithin::Sizes> least = {});

/// A shorter program, perhaps of fewer units, and how often what a unit takes is in what one of the program itself
/// takes; may be negative.
struct PartOfRun {
  Program program;
  double times = 1;
};

/// The shorter programs of an extended run, for what else is wanted of it than cycles.
/// @param run  of the program, extended
std::vector<PartOfRun> parts_of(const Program& program, const RunWithin& run);

/// Finds what a run of a launch takes, within the tolerance of its options, without simulating much: a short one is
/// simulated to its end, a longer one extended.
/// @return nothing where the whole must be simulated; so with a tolerance of 0, and with Skipping::Verify
/// @throws ModelError as simulate
std::optional<RunWithin> short_run(const Program& program, Ticks bound, double tolerance, Skipping skipping);
std::optional<RunWithin> short_run(const LoweredLaunch& launch);

/// Likewise, and simulates the whole where it must.
/// @throws ModelError, GateError as simulate
/// @complexity  at worst about twice that of simulate()
RunWithin run_within(const Program& program, Ticks bound, double tolerance, Skipping skipping);
RunWithin run_within(const LoweredLaunch& launch);

}  // namespace warpipe
