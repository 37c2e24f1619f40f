#pragma once

#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// Says which entries of `after` can never bind, whatever the trip counts and the conditions: the producer comes later
/// or is the instruction itself, and no loop is around both; or an earlier execution is asked for than the only one.
/// Such an entry is no error (rule 3 of the model), but hardly what its author meant.
/// @return a sentence for each of the first few, with its place, and one for the rest
/// @complexity linear in the instructions and their dependences
std::vector<std::string> idle_waits(const Kernel& kernel);

}  // namespace warpipe
