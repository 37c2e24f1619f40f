#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "execution.hpp"

namespace warpipe::isa {

/// The bodies of loops by their headers, and the program's by kRoot.
std::map<std::uint32_t, const std::vector<Region>*> bodies_of(const ControlFlow& flow);

/// How often each record happens in all groups of the launch.
/// @return by record
/// @complexity linear in the records and their traces
std::vector<double> count_records(const ControlFlow& flow, const Execution& execution);

/// Makes the statistics, gathered of some groups, those of the whole launch: a record's are taken as often as it
/// happens. What was gathered for none of a record goes to the others of its loop.
void extrapolate(const ControlFlow& flow, Execution& execution);

}  // namespace warpipe::isa
