#pragma once

#include <cstdint>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// The costs of lane addresses, by the words of the formats and independent of the product's code.

namespace warpipe::reference {

/// @return the bank conflict degree of one execution; >= 1
std::int64_t conflict_degree(const AccessPattern& pattern, const Values& values, const Device& device);

/// @param bytes  size of a segment
/// @return       the distinct aligned segments touched by one execution; >= 1
std::int64_t segments(const AccessPattern& pattern, const Values& values, const Device& device, std::int64_t bytes);

/// @return the distinct segments of the size of a transaction
std::int64_t transactions(const AccessPattern& pattern, const Values& values, const Device& device);

}  // namespace warpipe::reference
