#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "warpipe/isa/dataflow.hpp"

namespace warpipe::isa {

/// An instruction with a result awaited by a later instruction.
struct Awaited {
  std::uint32_t instruction = 0;
  std::uint32_t back = 1;  ///< its back-th most recent execution
  auto operator<=>(const Awaited&) const = default;
};

/// The instructions issued by a warp of a program, their order, and the results each waits for.
struct IssuePlan {
  std::vector<std::vector<std::uint32_t>> order;  ///< instructions, by block
  std::vector<bool> left_out;                     ///< by instruction: is not issued
  std::vector<std::uint32_t> skipped;             ///< left-out instructions executed by hardware all the same
  std::vector<std::vector<Awaited>> after;        ///< by instruction: the instructions it waits for
  /// By block: the block of the branch replaced by a predicate on this block's instructions; else kNoBlock.
  std::vector<std::uint32_t> branch_of;
};

/// The plan of a program issued as its text stands, as machine code is: an instruction waits for the writers of its
/// inputs, but for writers with a counter only at a wait for the counter.
/// @complexity reads x their writers, plus the simulation of counters
IssuePlan plan_as_written(const Program& program, const ControlFlow& flow, const ReachingDefinitions& definitions);

}  // namespace warpipe::isa
