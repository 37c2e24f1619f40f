#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "survey/tally.hpp"
#include "warpipe/isa/import_report.hpp"
#include "warpipe/isa/issue_plan.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

/// The machine code of a launch, and its amount between two executions of an instruction.
struct FetchedCode {
  CodeReport report;
  /// By block: the code of the innermost iterating loop around the block; without a loop all code.
  std::vector<std::size_t> of_block;
};

/// @param issued  instructions, by block
/// @param all     what all groups of the launch did
FetchedCode fetched_code(const Program& program, const ControlFlow& flow, const std::vector<std::int64_t>& issued,
                         const Tally& all);

}  // namespace warpipe::isa
