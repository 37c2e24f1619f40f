#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "warpipe/engine/program.hpp"
#include "warpipe/predict/launch.hpp"

/// The programs on which skipping is compared with full simulation.

namespace warpipe {

/// Receives a program and its name.
using TakeProgram = std::function<void(const std::string& name, const Program& program)>;

/// Every shipped kernel on every device with its ops: with its own groups per unit, halved until the run issues no more
/// than `most_issues` warp instructions; once as one unit, once as all units with a tail.
void for_each_shipped(std::int64_t most_issues, Units units, const TakeProgram& take);

/// Every shipped kernel on every device of at least 32 units with its ops, on all units: with groups for four and for
/// sixty waves and a third of the units, the caches simulated, and trip counts divided until the run issues no more
/// than `most_issues`.
void for_each_shipped_on_many_units(std::int64_t most_issues, const TakeProgram& take);

/// The conformance cases with fifty times the groups and with trip counts times fifty: of all loops, else of the
/// outermost, else of none, else with their own groups; the first of these with at most `most_issues` issues.
void for_each_conformance_case(std::int64_t most_issues, const TakeProgram& take);

/// Random kernels on random devices, half of them long (a third of `most_issues`), half very long.
/// @param count  so many of them
void for_each_random(std::int64_t count, std::uint64_t seed, const TakeProgram& take, std::int64_t most_issues = 60000);

/// The same of random kernels whose groups differ.
void for_each_random_of_kinds(std::int64_t count, std::uint64_t seed, const TakeProgram& take,
                              std::int64_t most_issues = 60000);

/// The same on random devices whose memory has levels; the groups of every fourth kernel differ.
void for_each_random_with_levels(std::int64_t count, std::uint64_t seed, const TakeProgram& take,
                                 std::int64_t most_issues = 60000);

}  // namespace warpipe
