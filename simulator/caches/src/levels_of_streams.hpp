#pragma once

#include "address_streams.hpp"
#include "warpipe/caches/levels.hpp"

namespace warpipe {

/// As levels_from_addresses, for streams that serve several launches one after the other.
/// @param launch  the launch of the streams, perhaps with another `room`
LevelsFromAddresses levels_of_streams(AddressStreams& streams, const Device& device, const CacheLaunch& launch,
                                      const CacheEffort& effort);

}  // namespace warpipe
