#pragma once

#include "trial_runs.hpp"
#include "warpipe/sweep/what_if.hpp"
#include "what_if_model.hpp"

namespace warpipe {

/// Tries the changes of a launch in turn.
class ChangeTrials {
 public:
  /// @param model, runs  of the launch; must live as long
  ChangeTrials(const WhatIfModel& model, const WhatIfOptions& asked, TrialRuns& runs)
      : model_(model), runs_(runs), with_ranges_(asked.ranges_of_changes), leave_out_(asked.leave_out) {}

  bool with_ranges() const { return with_ranges_; }

  /// May be called from several threads at once.
  /// @return  no cycles for an impossible change, and for a change that cannot save enough to be seen
  /// @throws GateError as simulate
  WhatIfTrial attempt(const Candidate& candidate) const;

 private:
  bool is_too_slow(const Bound& bound) const;
  WhatIfTrial left_out(const Bound& bound) const;
  WhatIfTrial simulate_change(const Candidate& candidate) const;
  std::string remark_of(const Candidate& candidate, Ticks cycles) const;

  const WhatIfModel& model_;
  TrialRuns& runs_;
  bool with_ranges_, leave_out_;
};

}  // namespace warpipe
