#pragma once

#include <cstdint>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// What lane addresses cost, by the words of the formats and independent of the product's code.

namespace warpipe::reference {

/// @return the bank conflict degree of one execution; >= 1
std::int64_t conflict_degree(const AccessPattern& pattern, const Values& values, const Device& device);

/// @return the distinct aligned segments of so many bytes that one execution touches; >= 1
std::int64_t segments(const AccessPattern& pattern, const Values& values, const Device& device, std::int64_t bytes);

/// @return those of the size of a transaction
std::int64_t transactions(const AccessPattern& pattern, const Values& values, const Device& device);

}  // namespace warpipe::reference
