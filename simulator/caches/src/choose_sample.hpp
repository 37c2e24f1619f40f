#pragma once

#include <vector>

#include "address_streams.hpp"
#include "turns.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// Chooses for each effort the simulated part of a launch: all of it if it looks up no more lines than the effort
/// allows; else as many whole waves of resident groups as the effort allows, from two parts of the launch, with at
/// least two waves each. If two waves are too much, their loops are cut; if few trips would remain, there is one part.
std::vector<Sample> choose_samples(AddressStreams& streams, const Device& device,
                                   const std::vector<CacheEffort>& efforts);

}  // namespace warpipe
