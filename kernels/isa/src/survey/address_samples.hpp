#pragma once

#include <span>

#include "survey/address_log.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe::isa {

/// Samples of what some logged accesses reach: of neighbouring groups, the warps of each in their order, the first
/// executions of each. Where other groups hardly reach the same sectors, samples go on from round to round: as the
/// means of groups do where they lie on a line, else by a stride that meets all of the array.
/// @param accesses  of one instruction, all in one array; not empty
/// @param copies    that the kernel has of this instruction: the more, the fewer samples each has
/// @return          the pattern but for its array
AccessPattern::Sampled sample_addresses(const AddressLog& log, std::span<const LoggedAccess> accesses,
                                        const Dimensions& block, const Dimensions& grid, std::size_t copies);

}  // namespace warpipe::isa
