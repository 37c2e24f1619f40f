#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/run_within.hpp"

namespace warpipe {

/// The time of a changed launch.
struct TrialRun {
  Ticks cycles;
  double off = 0;  ///< how far the difference to the launch itself may be off, a fraction of its time; 0: exact
};

/// The runs of a study: of a launch, and of its changed programs. Equal programs are simulated once. Where the launch
/// was extended from shorter runs, a change is extended from runs of the same sizes, so that most of the errors of the
/// two times are the same; from longer runs only where these runs do not tell enough.
class TrialRuns {
 public:
  /// @param launch  must live as long
  /// @param run     of it
  TrialRuns(const LoweredLaunch& launch, const RunWithin& run);

  /// May be called from several threads at once.
  /// @param device  for which the program was lowered
  /// @throws ModelError, GateError as simulate, and ModelError as lower_bounds
  TrialRun run(const Program& program, const Device& device);

  /// Likewise, of another latency. Where the launch was extended and takes its bound, and the bound moves a little, the
  /// time moves with it without a simulation.
  TrialRun run_with_latency(const Program& program, const Device& device);

  /// Likewise, of another latency whose saving is asked for. Where the launch was extended, a latency whose bound says
  /// that it saves less than the tolerance is not simulated: it counts as a saving of nothing.
  TrialRun run_for_saving(const Program& program, const Device& device);

  const Program& program() const { return program_; }     ///< of the launch
  Ticks cycles() const { return launch_.result.cycles; }  ///< likewise
  bool are_extended() const { return is_extended(launch_); }
  /// The result of a latency whose effect on the time is below the tolerance.
  TrialRun no_effect() const { return {cycles(), tolerance_}; }
  double tolerance() const { return tolerance_; }

 private:
  std::optional<TrialRun> known(const Program& program) const;
  TrialRun simulated(const Program& program, const Device& device) const;
  Bound bound_of(const Program& program, const Device& device) const;
  void keep(const Program& program, const TrialRun& run);

  const Program& program_;
  Skipping skipping_;
  double tolerance_;
  RunWithin launch_;
  Bound bound_;  ///< of the launch, the highest
  mutable std::mutex mutex_;
  std::list<std::pair<Program, TrialRun>> known_;
  std::size_t steps_ = 0;  ///< of the known ones
};

}  // namespace warpipe
