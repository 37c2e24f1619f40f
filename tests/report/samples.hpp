#pragma once

#include <map>
#include <string>
#include <vector>

#include "warpipe/report/html.hpp"

namespace warpipe::test {

/// A shipped file.
Kernel shipped_kernel(const std::string& name);
Device shipped_device(const std::string& name);

/// A launch with all the data around it.
LaunchReport report_of(const Kernel& kernel, const Device& device, const LaunchOptions& options = {},
                       std::size_t threads = 0);

/// 128 x 128, for mmul16.
LaunchOptions small_matrices();

/// A sweep of shipped files over arguments of --vary.
SweepTable sweep_of(const std::string& kernel, const std::string& device, const std::vector<std::string>& variations,
                    const LaunchOptions& options = {});

/// Shared memory with and without padding: stores with bank conflicts, and none.
Difference conflicts_against_padding();

/// saxpy on a V100, with 8 groups of 256 threads.
OccupancyReport occupancy_of_saxpy();

/// Three launches of a long kernel and a launch of a short kernel, with a gap of 1.5 us between two.
ProgramTimes four_launches();

/// Names and texts that would be markup, scripts, their ends or no text at all without escapes.
std::string hostile_text();
/// saxpy, with hostile names and texts.
Kernel hostile_kernel();

/// A page of every kind by name.
std::map<std::string, std::string> sample_pages();

}  // namespace warpipe::test
