#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "warpipe/sweep/sweep.hpp"

namespace warpipe {

/// Points of a sweep that do the same work, so that one of them is the fastest.
struct EqualWork {
  const SweepPoint* fastest = nullptr;
  std::size_t points = 0;
};

/// Splits the points that have a prediction by their work. What varies on the device, the occupancy, a group size that
/// the number of groups follows, and a block that the grid follows never change it. Where else points differ, the same
/// floating-point operations are the same work, else the same bytes; where a kernel file gives neither, the same
/// threads, parameters and kernel are.
/// @param points  of a sweep over these variations; must outlive the result
/// @return        in the order of their first points
std::vector<EqualWork> equal_work(const std::vector<Variation>& variations, const std::vector<SweepPoint>& points);

/// @return the names of what may change the work: "n, groups"
std::string changes_of_work(const std::vector<Variation>& variations);

/// @return the point that does most in a second; null where the kernel file does not give its work at each point
const SweepPoint* highest_throughput(const std::vector<SweepPoint>& points);

}  // namespace warpipe
