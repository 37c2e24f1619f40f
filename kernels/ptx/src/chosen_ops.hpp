#pragma once

#include <string>
#include <vector>

#include "simplify.hpp"

namespace warpipe::ptx {

/// The ops of each instruction of a routine: those that are known, and those that the user says.
/// @param skipped  gets what is left out, with its lines
/// @throws InputError that lists all other opcodes, each with its first line; UsageError for an option that no
///                    instruction needs
std::vector<std::vector<std::string>> choose_ops(const Routine& routine, const LoweringOptions& options,
                                                 std::vector<std::string>& skipped);

}  // namespace warpipe::ptx
