#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/run_within.hpp"

namespace warpipe {

/// What a changed launch takes.
struct TrialRun {
  Ticks cycles;
  double off = 0;  ///< how far the difference to the launch itself may be off, a fraction of its time; 0: exact
};

/// The runs of a study: of a launch, and of what changes make of it.
/// - Programs that are equal are simulated once.
/// - Where the launch was extended from shorter runs, the others are extended from runs of the same sizes, so that what
///   all are off by does not count. Who cannot be is simulated by itself.
class TrialRuns {
 public:
  /// @param launch  must live as long
  /// @param run     of it
  TrialRuns(const LoweredLaunch& launch, const RunWithin& run);

  /// May be called from several threads at once.
  /// @param device  for which the program was lowered
  /// @throws ModelError, GateError as simulate, and ModelError as lower_bounds
  TrialRun run(const Program& program, const Device& device);

  const Program& program() const { return program_; }  ///< of the launch
  Ticks cycles() const { return cycles_; }             ///< likewise

  /// Whether the launch itself was simulated to its end.
  bool are_exact() const { return !shorter_; }
  double tolerance() const { return tolerance_; }

 private:
  std::optional<TrialRun> known(const Program& program) const;
  TrialRun simulated(const Program& program, const Device& device) const;
  /// What shorter runs make of a program, at the rate at which the launch's own are off.
  TrialRun extended(Ticks cycles, Ticks bound) const;
  void keep(const Program& program, const TrialRun& run);

  const Program& program_;
  Skipping skipping_;
  double tolerance_;
  Ticks cycles_;
  std::optional<ShorterRuns> shorter_;  ///< that tell the launch's time
  mutable std::mutex mutex_;
  std::list<std::pair<Program, TrialRun>> known_;
  std::size_t steps_ = 0;  ///< of the known ones
};

}  // namespace warpipe
