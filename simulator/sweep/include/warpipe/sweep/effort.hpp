#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "warpipe/engine/simulated.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"

/// How much there is to simulate, and how long it will still take: for a progress display.

namespace warpipe {

/// Warp instructions that simulating a launch takes, one by one or skipped; those of its bounds included.
struct Effort {
  double run = 0;   ///< where units that do the same are simulated once
  double full = 0;  ///< where all of them are, as stalls and the critical path ask for
};

/// Of the work of a launch the share before which it is not known how much of it is left out: as long as a period may
/// still be found, or shorter runs may stand in for it.
double untold_share(const Kernel& kernel, const Device& device, const LaunchOptions& options);

/// @return 0 for what cannot be simulated: the simulation reports why
/// @complexity as lower
Effort effort_of(const Kernel& kernel, const Device& device, const LaunchOptions& options);

inline constexpr double kWithoutAPeriod = 0.05;  ///< of the work, in which a steady state would have come

/// Tells how long pieces of work will still take: by what there is to simulate for each, not by their number. A piece
/// that skips periods, or for which a shorter run stands in, takes about as long as those before it that did, however
/// many instructions it has. Where most of the work may be left out in the next moment, nothing is told until a share
/// of it has been simulated.
class RemainingTime {
 public:
  /// @param count         of the pieces
  /// @param already       so many of the first are not part of the work
  /// @param instructions  of each piece, asked for some of them where there are many; empty: all take alike
  /// @param untold        share of the work before which nothing is told of the first piece
  RemainingTime(std::size_t count, std::size_t already, const std::function<double(std::size_t index)>& instructions,
                double untold);

  /// To be called when pieces are done, the first ones first.
  /// @param simulated  since the start
  void note_done(std::size_t done, const SimulatedInstructions& simulated);

  /// @param simulated  since the start
  /// @param seconds    since the first instruction was simulated; where pieces have none, since the start
  /// @return           seconds; nothing as long as it is not known
  std::optional<double> left(const SimulatedInstructions& simulated, double seconds) const;

 private:
  double instructions_left(double most_per_piece) const;

  std::size_t count_, already_, done_;
  double untold_;
  std::vector<double> instructions_;  ///< of one piece in each of so many equal parts; empty: all take alike
  SimulatedInstructions simulated_when_done_;
};

}  // namespace warpipe
