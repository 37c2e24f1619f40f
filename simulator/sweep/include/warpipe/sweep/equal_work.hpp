#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/predict/launch_work.hpp"
#include "warpipe/sweep/sweep.hpp"

namespace warpipe {

/// How far times of the same work must lie apart for one to be called the faster: the model is off by as much.
/// @source docs/accuracy.md: the mean error over 1269 measured rows is 3.1 %
inline constexpr double kTie = 0.03;

/// Points of a sweep that do the same work, so that one of them is the fastest.
struct EqualWork {
  const SweepPoint* fastest = nullptr;
  std::vector<const SweepPoint*> ties;  ///< the others within kTie of it, in the order of the points
  std::size_t points = 0;
  bool by_lanes = false;  ///< lanes were compared where bytes are not counted
};

/// Splits the points that have a prediction by their work. What varies on the device, the occupancy, and a group size
/// that the number of groups follows never change it.
///
/// Launches of imported code do the same work where they read the same bytes of each array and, but for arrays of which
/// each group writes one place, write the same bytes, each counted once. Of an array whose bytes are not counted, as
/// many lanes read and write. A block that the source does not follow, and a grid that covers less, are told thus from
/// a loop that strides over the grid. Where arguments or kernels vary, they do as many floating-point operations, too.
///
/// Of kernel files the same floating-point operations are the same work, else the same bytes; where the file gives
/// neither, the same threads, parameters and kernel are.
/// @param points  of a sweep over these variations; must outlive the result
/// @return        in the order of their first points
std::vector<EqualWork> equal_work(const std::vector<Variation>& variations, const std::vector<SweepPoint>& points);

/// @return the names of what may change the work: "n, groups"
std::string changes_of_work(const std::vector<Variation>& variations);

/// @return the names of the variations with several values that make no difference to any time, nor to the work
std::vector<std::string> without_effect(const std::vector<Variation>& variations,
                                        const std::vector<SweepPoint>& points);

/// Bytes that a launch reads and writes, each once; without those of arrays of which each group writes one place.
struct BytesOfWork {
  double read = 0, written = 0;
};
BytesOfWork bytes_of_work(const std::vector<isa::ArrayReach>& arrays);

/// What a point is chosen by: the time, or where what varies may change the work the time for each unit of it: of
/// imported code for each byte that is read or written, counted once; where arguments or kernels vary for each
/// floating-point operation; of kernel files for each operation, else byte.
/// @param time  in any unit
/// @return      nothing where the work is not known
std::optional<double> cost_of(double time, const Launch& launch, const ArrayReaches& arrays,
                              const std::vector<Variation>& variations);

/// The work of a point that has a prediction, for a rate: what cost_of divides by, of imported code the bytes that it
/// reads and writes, each once, else what the kernel states.
Throughput throughput_of(const SweepPoint& point, const std::vector<Variation>& variations);

/// @return the point that does most in a second; null where the work of some point is not known
const SweepPoint* highest_throughput(const std::vector<SweepPoint>& points, const std::vector<Variation>& variations);

}  // namespace warpipe
