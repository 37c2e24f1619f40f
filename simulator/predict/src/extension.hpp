#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "warpipe/engine/program.hpp"
#include "warpipe/predict/run_within.hpp"

/// The time of a long program from runs with fewer waves of groups, and fewer trips of the loop that issues most.

namespace warpipe {

/// Whether the shorter runs take clearly less than the program.
bool is_worth_extending(const Program& program);

/// As extended_run, on as many units as the program has.
std::optional<RunWithin> run_of_fewer_waves_and_trips(const Program& program, Ticks bound, double tolerance,
                                                      const std::optional<RunWithin::Sizes>& least,
                                                      ResumableSimulation* whole);

/// As parts_of.
std::vector<PartOfRun> parts_of_waves_and_trips(const Program& program, const RunWithin::Sizes& sizes);

/// An extended run.
/// @param off        a fraction of the cycles
/// @param issued     instructions of the program
/// @param simulated  instructions of the shorter runs
RunWithin result_of(double cycles, double off, std::int64_t issued, std::int64_t simulated, double tolerance);

}  // namespace warpipe
