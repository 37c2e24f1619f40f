#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "survey/tally.hpp"
#include "warpipe/isa/issue_plan.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

<<<<<<< HEAD
/// The machine code of a launch, and its amount between two executions of an instruction.
struct FetchedCode {
  std::size_t bytes = 0;  ///< each issued instruction once; 0 for instructions of different lengths
  /// By block: the code of the innermost iterating loop around the block; without a loop all code.
  std::vector<std::size_t> of_block;
  double far_share = 0;  ///< of the issued instructions, the share in blocks with more than kNearCode
=======
/// Machine code of a launch, and the bytes of code fetched between two executions of an instruction.
struct FetchedCode {
  std::size_t bytes = 0;  ///< issued instructions, each once; 0 where their lengths differ
  /// By block: the code of the innermost loop around it that goes round; without a loop, all code.
  std::vector<std::size_t> of_block;
  double far_share = 0;  ///< share of the issued instructions in blocks with more than kNearCode
>>>>>>> b8befa1a3ab6b30a255f06bc518de4caef9eb4ef
};

/// @param issued  instructions, by block
/// @param all     totals of all groups of the launch
FetchedCode fetched_code(const Program& program, const ControlFlow& flow, const std::vector<std::int64_t>& issued,
                         const Tally& all);

}  // namespace warpipe::isa
