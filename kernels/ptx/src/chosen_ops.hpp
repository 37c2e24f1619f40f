#pragma once

#include <string>
#include <vector>

#include "simplify.hpp"

namespace warpipe::ptx {

/// The ops of each instruction of a routine: those that are known, and those that the user says.
/// @param lowered  gets what is left out, and what of it is assumed to be
/// @throws isa::UnknownData that lists all other opcodes, each with its first line, unless `options` assume; UsageError
///                    for an option that no instruction needs
std::vector<std::vector<std::string>> choose_ops(const Routine& routine, const LoweringOptions& options,
                                                 Lowered& lowered);

}  // namespace warpipe::ptx
