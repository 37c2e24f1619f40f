#pragma once

#include "warpipe/latency_tables/device.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

/// How sure the numbers of a device's table are.

namespace warpipe {

/// Where a number lies in 90 of 100 cases: as its source says, else as the kind of the source makes it likely. A number
/// without a source counts as estimated, a clock without one as exact, and so does a number that is given.
/// @param parameter  of that device
Interval interval_of(const TableParameter& parameter, const Device& device);

/// Whether any number of the table is given: the device is made up, and errors that were measured on others say nothing
/// of it.
bool has_given_numbers(const Device& device);

/// A device with every number of its table at one end of its interval.
enum class Pace { Fast, Slow };
Device at_pace(Device device, Pace pace);

}  // namespace warpipe
