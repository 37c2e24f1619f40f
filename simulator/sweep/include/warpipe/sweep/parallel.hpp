#pragma once

#include <cstddef>
#include <functional>

#include "warpipe/sweep/sweep.hpp"

namespace warpipe {

/// @return the threads to use where `threads` are asked for: 0: all cores; more than cores counts as all
int places_for(std::size_t threads);

/// Calls `body` once for each index below `count`, on at most `threads` threads.
/// @param threads   0: all cores; more than cores counts as all
/// @param body      writes to the place of its index alone, so that the order of the calls changes nothing
/// @param progress  called after each finished index, one call at a time
/// What `body` throws ends the loop and goes on to the caller.
void for_each_index(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& body,
                    const Progress& progress);

}  // namespace warpipe
