#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {

inline constexpr std::size_t kMostLanes = 64, kMostVectors = 5;

using LaneNumbers = std::array<std::uint64_t, kMostLanes>;  ///< by lane

/// What `evaluate` gives for each lane, for all lanes at once.
/// @param inputs   one pointer an input, to a number a lane; at least inputs_of the operation, at most kMostVectors
/// @param mask     lanes whose results count; those of others are anything
/// @param results  may be none of the inputs
/// @return         false for a division of whole numbers by zero in a lane of the mask
bool evaluate_lanes(const LaneOperation& operation, std::span<const std::uint64_t* const> inputs, std::uint64_t mask,
                    std::size_t lanes, LaneNumbers& results);

}  // namespace warpipe::isa
