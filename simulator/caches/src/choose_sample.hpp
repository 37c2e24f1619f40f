#pragma once

#include <vector>

#include "address_streams.hpp"
#include "turns.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// Chooses for each effort what is simulated of a launch: all of it if it looks up no more lines than the effort
/// allows; else as many whole waves of resident groups as it allows, from two parts of the launch, and at least two of
/// each. Where that is too much, their loops are cut; and where little would be left of them, there is one part. Where
/// that is still much, some lines stand for all.
std::vector<Sample> choose_samples(AddressStreams& streams, const Device& device,
                                   const std::vector<CacheEffort>& efforts);

}  // namespace warpipe
