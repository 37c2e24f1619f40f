#pragma once

#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// Finds entries of `after` that can never bind, whatever the trip counts and conditions: the producer comes later or
/// is the instruction itself, and no loop is around both; or the entry asks for an execution before the only execution.
/// This is no error (rule 3 of the model), but hardly intended.
/// @return a sentence for each of the first few, with its place, and a sentence for the rest
/// @complexity linear in the instructions and their dependences
std::vector<std::string> idle_waits(const Kernel& kernel);

}  // namespace warpipe
