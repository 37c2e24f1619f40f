#pragma once

#include <string>
#include <vector>

#include "simplify.hpp"

namespace warpipe::ptx {

/// Chooses the ops of each instruction of a routine: known ops, and ops given by the user.
/// @param lowered  receives the instructions left out, and the assumptions made for unknown opcodes
/// @throws isa::UnknownData with a list of all unknown opcodes, each with its first line, unless `options` assume;
///                          UsageError for an option that no instruction needs
std::vector<std::vector<std::string>> choose_ops(const Routine& routine, const LoweringOptions& options,
                                                 Lowered& lowered);

}  // namespace warpipe::ptx
