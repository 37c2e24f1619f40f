#pragma once

#include <optional>

#include "symbolic/program_forms.hpp"

namespace warpipe::isa {

/// What atomics that meet are told from.
struct AtomicLaunch {
  Dimensions block{1, 1, 1}, grid{1, 1, 1};
  std::int64_t lanes = 32;  ///< of a warp
};

/// Turns of an execution of an atomic at the place where the launch takes most, as a mean, by the form of its address:
/// of executions that are spread evenly over groups, warps and trips, in no step that groups may go by themselves.
/// @param combines  whether one lane goes for all
/// @return          nothing where a number is not known, or none of these executions has a lane
std::optional<double> turns_at_one_place(const ProgramForms& forms, const AccessForm& access,
                                         const AtomicLaunch& launch, bool combines);

}  // namespace warpipe::isa
