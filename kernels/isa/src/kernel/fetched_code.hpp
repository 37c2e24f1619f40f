#pragma once

#include <cstddef>
#include <vector>

#include "survey/tally.hpp"
#include "warpipe/isa/issue_plan.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

/// Machine code that a launch goes through, and how much of it is fetched between two executions of an instruction.
struct FetchedCode {
  std::size_t bytes = 0;  ///< each instruction that is issued once; 0 where their lengths differ
  /// By block: the code of the innermost loop around it that goes round; of none: all of it.
  std::vector<std::size_t> of_block;
  double far_share = 0;  ///< of the instructions that are issued, those of blocks with more than kNearCode
};

/// @param issued  instructions, by block
/// @param all     what all groups of the launch did
FetchedCode fetched_code(const Program& program, const ControlFlow& flow, const std::vector<std::int64_t>& issued,
                         const Tally& all);

}  // namespace warpipe::isa
