#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "warpipe/engine/simulated.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"

/// The amount of work to simulate, and its remaining time: for a progress display.

namespace warpipe {

/// Warp instructions of the simulation of a launch, simulated or skipped; including the instructions of its bounds.
struct Effort {
  double run = 0;   ///< with one of several symmetric units simulated
  double full = 0;  ///< with all units simulated, as stalls and the critical path require
};

/// The share of a launch's work to simulate before the amount left out is known: until then a period may still be
/// found, or shorter runs may stand in for the launch.
double untold_share(const Kernel& kernel, const Device& device, const LaunchOptions& options);

/// @return 0 where the launch cannot be simulated: the simulation reports the reason
/// @complexity as lower
Effort effort_of(const Kernel& kernel, const Device& device, const LaunchOptions& options);

inline constexpr double kWithoutAPeriod = 0.05;  ///< of the work, in which a steady state would have come

/// Predicts the remaining time of pieces of work by their instructions, not by their number. A piece with skipped
/// periods, or replaced by a shorter run, takes about as long as earlier pieces of the same sort, however many
/// instructions it has. Where most of the work may be left out in the next moment, no time is told until a share of the
/// work has been simulated.
class RemainingTime {
 public:
  /// @param count         of the pieces
  /// @param already       the number of first pieces to leave out
  /// @param instructions  of each piece, asked for some of them where there are many; empty: all take alike
  /// @param untold        share of the work before which no time is told of the first piece
  RemainingTime(std::size_t count, std::size_t already, const std::function<double(std::size_t index)>& instructions,
                double untold);

  /// To be called when pieces are done, in the order of the pieces.
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
  std::vector<double> instructions_;  ///< of a piece in each of equally large parts; empty: all take alike
  SimulatedInstructions simulated_when_done_;
};

}  // namespace warpipe
