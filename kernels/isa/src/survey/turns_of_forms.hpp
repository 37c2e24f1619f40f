#pragma once

#include <optional>

#include "symbolic/program_forms.hpp"

namespace warpipe::isa {

/// Sizes of a launch with atomics.
struct AtomicLaunch {
  Dimensions block{1, 1, 1}, grid{1, 1, 1};
  std::int64_t lanes = 32;  ///< of a warp
};

/// Mean turns of an execution of an atomic at the place with the most turns in the launch, by the form of its address:
/// over executions evenly spread over groups, warps and trips, out of step with any period of the groups.
/// @param combines  whether a single lane acts for all
/// @return          nothing where a number is unknown, or no drawn execution has an active lane
std::optional<double> turns_at_one_place(const ProgramForms& forms, const AccessForm& access,
                                         const AtomicLaunch& launch, bool combines);

}  // namespace warpipe::isa
