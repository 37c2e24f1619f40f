#pragma once

#include <vector>

#include "warpipe/isa/dataflow.hpp"

namespace warpipe::isa {

/// The parameters of 64 bits that some address is made of, by copies, sums and conversions: pointers, and what is added
/// to them.
std::vector<bool> parameters_in_addresses(const Program& program, const ReachingDefinitions& definitions);

}  // namespace warpipe::isa
