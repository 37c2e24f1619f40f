#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "warpipe/isa/dataflow.hpp"

namespace warpipe::isa {

/// An instruction whose result another one waits for.
struct Awaited {
  std::uint32_t instruction = 0;
  std::uint32_t back = 1;  ///< its back-th most recent execution
  auto operator<=>(const Awaited&) const = default;
};

/// What a warp issues of a program, in which order, and what each instruction waits for.
struct IssuePlan {
  std::vector<std::vector<std::uint32_t>> order;  ///< instructions, by block
  std::vector<bool> left_out;                     ///< by instruction: is not issued
  std::vector<std::uint32_t> skipped;             ///< of those, instructions that hardware does execute
  std::vector<std::vector<Awaited>> after;        ///< by instruction: those whose results it waits for
  /// By block: the block whose branch gave way to a predicate under which this one issues; else kNoBlock.
  std::vector<std::uint32_t> branch_of;
};

/// The plan of a program that is issued as its text stands, as machine code is: an instruction waits for the writers of
/// what it reads, but of those that raise a counter only where a wait for the counter says so.
/// @complexity reads x their writers, and what the simulation of counters takes
IssuePlan plan_as_written(const Program& program, const ControlFlow& flow, const ReachingDefinitions& definitions);

}  // namespace warpipe::isa
