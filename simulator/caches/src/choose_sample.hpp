#pragma once

#include "address_streams.hpp"
#include "turns.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// Chooses what is simulated of a launch: all of it if it looks up no more lines than the effort allows; else as many
/// whole waves of resident groups, from the middle of the launch, as it allows, and at least two. Where two are too
/// many, their loops are cut.
Sample choose_sample(AddressStreams& streams, const Device& device, const CacheEffort& effort);

}  // namespace warpipe
