#pragma once

#include <vector>

#include "warpipe/isa/dataflow.hpp"

namespace warpipe::isa {

/// The pointers among the parameters of 64 bits: addresses have them as a term, once. A parameter multiplied or added
/// several times, as by a loop, is a pitch or a stride, unless it is by itself the address of an access.
std::vector<bool> parameters_in_addresses(const Program& program, const ReachingDefinitions& definitions);

}  // namespace warpipe::isa
