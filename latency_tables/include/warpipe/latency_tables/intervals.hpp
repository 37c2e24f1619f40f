#pragma once

#include "warpipe/latency_tables/device.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

/// Confidence intervals of the numbers of a device's table.

namespace warpipe {

/// The range of a number in 90 of 100 cases: from its source, else typical of the source's kind. A number without a
/// source counts as estimated; a clock without a source, and a given number, count as exact.
/// @param parameter  of the device
Interval interval_of(const TableParameter& parameter, const Device& device);

/// @return whether any number of the table is given: the device is made up, and errors measured on real devices do not
///         apply to it
bool has_given_numbers(const Device& device);

/// A device with every number of its table at one end of its interval.
enum class Pace { Fast, Slow };
Device at_pace(Device device, Pace pace);

}  // namespace warpipe
