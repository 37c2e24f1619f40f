#pragma once

#include <cstdint>
#include <optional>

#include "symbolic/program_forms.hpp"

namespace warpipe::isa {

/// The sizes of a launch with atomics.
struct AtomicLaunch {
  Dimensions block{1, 1, 1}, grid{1, 1, 1};
  std::int64_t lanes = 32;  ///< of a warp
};

/// Turns per execution of an atomic at the busiest place of the launch, by the form of its address. Executions are
/// drawn evenly over groups, warps and trips, without a period: addresses may repeat with the group.
/// @param combines  whether one lane acts for all active lanes
/// @return          nothing for an unknown number, or without an active lane in any execution
std::optional<double> turns_at_one_place(const ProgramForms& forms, const AccessForm& access,
                                         const AtomicLaunch& launch, bool combines);

}  // namespace warpipe::isa
