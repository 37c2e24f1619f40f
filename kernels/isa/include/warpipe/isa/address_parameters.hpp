#pragma once

#include <vector>

#include "warpipe/isa/dataflow.hpp"

namespace warpipe::isa {

/// The parameters of 64 bits that are pointers: addresses have them as a term, once. Where one is multiplied or added
/// several times, as by a loop, it is a pitch or a stride, unless it is by itself the address of an access.
std::vector<bool> parameters_in_addresses(const Program& program, const ReachingDefinitions& definitions);

}  // namespace warpipe::isa
