#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {

/// What a lane gets of an operation that reads other lanes.
struct AcrossLanes {
  std::uint64_t value = 0;
  bool truth = false;  ///< the second output, where there is one
};

/// The inputs of all lanes of a warp: inputs[i][lane].
using LaneInputs = std::array<std::array<std::uint64_t, 64>, 3>;

/// @param lanes  those that take part; `lane` is one of them
/// @source PTX ISA: vote.sync, match.sync, redux.sync, shfl.sync, elect.sync, activemask
AcrossLanes evaluate_across(const LaneOperation& operation, const LaneInputs& inputs, std::uint64_t lanes,
                            std::size_t lane);

}  // namespace warpipe::isa
