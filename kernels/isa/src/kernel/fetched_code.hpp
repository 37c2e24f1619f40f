#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "survey/tally.hpp"
#include "warpipe/isa/issue_plan.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

/// The machine code of a launch, and its amount between two executions of an instruction.
struct FetchedCode {
  std::size_t bytes = 0;  ///< each issued instruction once; 0 for instructions of different lengths
  /// By block: the code of the innermost iterating loop around the block; without a loop all code.
  std::vector<std::size_t> of_block;
  double far_share = 0;  ///< of the issued instructions, the share in blocks with more than kNearCode
};

/// @param issued  instructions, by block
/// @param all     what all groups of the launch did
FetchedCode fetched_code(const Program& program, const ControlFlow& flow, const std::vector<std::int64_t>& issued,
                         const Tally& all);

}  // namespace warpipe::isa
