#pragma once

#include "json_writer.hpp"
#include "warpipe/explain/explain.hpp"

namespace warpipe {

/// @return part / whole; 0 where there is no whole
double share(Ticks part, Ticks whole);

/// An object with the time of each state.
void write_times(JsonWriter& json, const StallTimes& times);

}  // namespace warpipe
