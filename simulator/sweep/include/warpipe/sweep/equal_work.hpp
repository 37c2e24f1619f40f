#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/launch_work.hpp"
#include "warpipe/sweep/sweep.hpp"

namespace warpipe {

/// The least distance of times of the same work for one to be called the faster: the model is off by as much.
/// @source docs/accuracy.md: the mean error over 1269 measured rows is 3.1 %
inline constexpr double kTie = 0.03;

/// Points of a sweep with the same work, and the fastest of them.
struct EqualWork {
  const SweepPoint* fastest = nullptr;
  std::vector<const SweepPoint*> ties;  ///< other points within kTie of it, in the order of the points
  std::size_t points = 0;
  bool by_lanes = false;  ///< lanes were compared where bytes are not counted
};

/// Splits the predicted points by their work. Variations of the device and of the occupancy never change the work;
/// neither does a group size followed by the number of groups.
///
/// Launches of imported code do the same work where they read the same bytes of each array and write the same bytes,
/// each byte counted once. Arrays in which each group writes a single place are not compared by their written bytes.
/// For an array without counted bytes, the numbers of reading and writing lanes are compared. So a block ignored by the
/// source, and a grid that covers less, are told from a loop striding over the grid. Where arguments or kernels vary,
/// the numbers of floating-point operations must be equal, too.
///
/// Kernel files with the same floating-point operations do the same work, else with the same bytes; where the file
/// gives neither, with the same threads, parameters and kernel.
/// @param points  of a sweep over these variations; must outlive the result
/// @return        in the order of their first points
std::vector<EqualWork> equal_work(const std::vector<Variation>& variations, const std::vector<SweepPoint>& points);

/// @return the names of the variations that may change the work: "n, groups"
std::string changes_of_work(const std::vector<Variation>& variations);

/// @return the names of the variations with several values that change neither a time nor the work
std::vector<std::string> without_effect(const std::vector<Variation>& variations,
                                        const std::vector<SweepPoint>& points);

/// Bytes that a launch reads and writes, each counted once; without arrays in which each group writes a single place.
struct BytesOfWork {
  double read = 0, written = 0;
};
BytesOfWork bytes_of_work(const std::vector<isa::ArrayReach>& arrays);

/// The cost by which points are chosen: the time, or, where a variation may change the work, the time per unit of work.
/// The unit of imported code is a byte read or written, counted once, or a floating-point operation where arguments or
/// kernels vary; the unit of a kernel file is an operation, else a byte.
/// @param time  in any unit
/// @return      nothing where the work is not known
std::optional<double> cost_of(double time, const Launch& launch, const ArrayReaches& arrays,
                              const std::vector<Variation>& variations);

/// The work of a predicted point, for a rate: the divisor of cost_of. Of imported code the bytes read and written, each
/// counted once; else the throughput stated by the kernel.
Throughput throughput_of(const SweepPoint& point, const std::vector<Variation>& variations);

/// @return the point with the highest throughput; null where the work of some point is not known
const SweepPoint* highest_throughput(const std::vector<SweepPoint>& points, const std::vector<Variation>& variations);

}  // namespace warpipe
