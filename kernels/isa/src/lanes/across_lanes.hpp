#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {

/// A lane's result of an operation across lanes.
struct AcrossLanes {
  std::uint64_t value = 0;
  bool truth = false;  ///< the second output, for operations with two
};

/// The inputs of all lanes of a warp: inputs[i][lane].
using LaneInputs = std::array<std::array<std::uint64_t, 64>, 3>;

/// @param lanes  participating lanes; `lane` is among them
/// @source PTX ISA: vote.sync, match.sync, redux.sync, shfl.sync, elect.sync, activemask
AcrossLanes evaluate_across(const LaneOperation& operation, const LaneInputs& inputs, std::uint64_t lanes,
                            std::size_t lane);

}  // namespace warpipe::isa
