#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {

inline constexpr std::size_t kMostLanes = 64, kMostVectors = 5;

using LaneNumbers = std::array<std::uint64_t, kMostLanes>;  ///< by lane

/// The results of `evaluate` for all lanes at once.
/// @param inputs   a pointer per input, to a number per lane; at least inputs_of the operation, at most kMostVectors
/// @param mask     lanes with results; all further results are arbitrary
/// @param results  must not be an input
/// @return         false for a division of whole numbers by zero in a lane of the mask
bool evaluate_lanes(const LaneOperation& operation, std::span<const std::uint64_t* const> inputs, std::uint64_t mask,
                    std::size_t lanes, LaneNumbers& results);

}  // namespace warpipe::isa
