#pragma once

#include <optional>

#include "lanes/execution.hpp"
#include "symbolic/program_forms.hpp"

namespace warpipe::isa {

/// Turns per execution of an atomic at the busiest place of the launch, by the form of its address. Executions are
/// drawn evenly over groups, warps and trips, without a period: addresses may repeat with the group.
/// @param combines  whether one lane acts for all active lanes
/// @return          nothing for an unknown number, or without an active lane in any execution
std::optional<double> turns_at_one_place(const ProgramForms& forms, const AccessForm& access,
                                         const ExecutionInput& input, bool combines);

}  // namespace warpipe::isa
