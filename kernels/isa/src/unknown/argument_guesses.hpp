#pragma once

#include <cstddef>
#include <vector>

#include "unknown/defaults.hpp"

namespace warpipe::isa {

/// What is assumed of the arguments that nobody says, all of them at once:
///   a mask that numbers are cut by               ones as wide as the number of all threads of the launch
///   a radius: a window goes from -r to r         4
///   the step from lane to lane of an access      as many elements as it reads at once: neighbours
///   a size that an index is compared with        just large enough for every thread of the launch
///   else                                         1024; 1 of a float
/// @param missing  parameters
/// @return         of each
/// @complexity     see SizeFinder
std::vector<Default> default_arguments(const ExecutionInput& input, const std::vector<std::size_t>& missing);

}  // namespace warpipe::isa
